import type { JsonValue } from '@decision-ledger/proof/gate';

/** A change to append to the chain of activity. */
export interface Change {
  /** Such as `key.issued`. */
  readonly type: string;
  /** Identifier of the key that made the change, or `operator`. */
  readonly actor: string;
  /** Identifier of the changed object. */
  readonly subject: string;
  readonly data?: { readonly [name: string]: JsonValue };
}
