import type { Mode } from '@decision-ledger/contract/access';

/** The organisation and ledger of an operation. */
export interface Scope {
  /** UUID. */
  readonly orgId: string;
  /** UUID. */
  readonly ledgerId: string;
  readonly mode: Mode;
}

/** The scope as stored in rows and jobs. */
export interface StoredScope {
  readonly org_id: string;
  readonly ledger_id: string;
  readonly mode: Mode;
}

export function toScope({ org_id, ledger_id, mode }: StoredScope): Scope {
  return { orgId: org_id, ledgerId: ledger_id, mode };
}
