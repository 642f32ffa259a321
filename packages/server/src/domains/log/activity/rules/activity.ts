import type { ActivityType } from '@decision-ledger/contract/activity';
import type { JsonValue } from '@decision-ledger/proof/gate';

/** A change to be chained, before it has a place. */
export interface Change {
  readonly type: ActivityType;
  /** Identifier of the key that did it, or `operator`. */
  readonly actor: string;
  /** Identifier of what it was done to. */
  readonly subject: string;
  readonly data?: { readonly [name: string]: JsonValue };
}
