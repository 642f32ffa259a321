import type { JsonValue } from '@decision-ledger/proof/gate';

/** A change to be chained, before it has a place. */
export interface Change {
  /** What happened, such as `key.issued`. */
  readonly type: string;
  /** Identifier of the key that did it, or `operator`. */
  readonly actor: string;
  /** Identifier of what it was done to. */
  readonly subject: string;
  readonly data?: { readonly [name: string]: JsonValue };
}
