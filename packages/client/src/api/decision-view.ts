// Generated from the contract by scripts/client-types.js.

import type { Decision } from './decision.js';
import type { Liability } from './liability.js';
import type { Link } from './link.js';
import type { Hash } from './shared.js';

export interface DecisionInDetail extends Decision {
  /** The decision before it in the chain. Null for the first one. */
  readonly previous: {
    readonly decision_id: string;
    readonly seq: number;
    readonly hash: Hash;
  } | null;
  /** The decision after it in the chain. Null for the last one. */
  readonly next: {
    readonly decision_id: string;
    readonly seq: number;
    readonly hash: Hash;
  } | null;
  /** The current estimate: the stored one, or the first one until it is stored. */
  readonly liability: Liability | null;
  /** Its active links, newest first: at most one page of GET /links. */
  readonly links: readonly Link[];
  /** The cursor that continues the list with GET /links?decision_id={id}. Null if the list is complete. */
  readonly links_next_cursor: string | null;
}
