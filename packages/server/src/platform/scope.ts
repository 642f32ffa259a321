import type { Mode } from '@decision-ledger/contract/permissions';

/** Whose data, and which of the two ledgers. The first argument of every store function. */
export interface Scope {
  /** UUID. */
  readonly orgId: string;
  /** UUID. */
  readonly ledgerId: string;
  readonly mode: Mode;
}

/** The same as rows and jobs hold it. */
export interface StoredScope {
  readonly org_id: string;
  readonly ledger_id: string;
  readonly mode: Mode;
}

export function toScope({ org_id, ledger_id, mode }: StoredScope): Scope {
  return { orgId: org_id, ledgerId: ledger_id, mode };
}
