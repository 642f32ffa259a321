import type { Mode } from '@decision-ledger/contract/permissions';

/** Whose data, and which of the two ledgers. The first argument of every store function. */
export interface Scope {
  /** UUID. */
  readonly orgId: string;
  /** UUID. */
  readonly ledgerId: string;
  readonly mode: Mode;
}
