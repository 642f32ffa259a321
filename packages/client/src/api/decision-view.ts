// Generated from the contract by scripts/client-types.js.

import type { Liability } from './liability.js';
import type { Link } from './link.js';
import type { JsonObject } from './shared.js';

export interface DecisionInDetail {
  readonly decision_id: string;
  readonly seq: number;
  readonly agent_id: string;
  readonly action_type: string;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly confidence: number;
  readonly alternatives?: readonly JsonObject[];
  readonly human_in_loop: boolean;
  readonly metadata?: JsonObject;
  /** Absent if nothing was erased. */
  readonly erased_fields?: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly timestamp: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly hash: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly prev_hash: string;
  /** The decision before it in the chain. Null for the first one. */
  readonly previous: {
    readonly decision_id: string;
    readonly seq: number;
    /** SHA-256 in lower-case hexadecimal. */
    readonly hash: string;
  } | null;
  /** The decision after it in the chain. Null for the last one. */
  readonly next: {
    readonly decision_id: string;
    readonly seq: number;
    /** SHA-256 in lower-case hexadecimal. */
    readonly hash: string;
  } | null;
  /** The current estimate. Null for a decision recorded by a release without estimates, until the worker has estimated it. */
  readonly liability: Liability | null;
  /** Its active links, newest first: at most one page of GET /links. */
  readonly links: readonly Link[];
  /** The cursor that continues the list with GET /links?decision_id={id}. Null if the list is complete. */
  readonly links_next_cursor: string | null;
}
