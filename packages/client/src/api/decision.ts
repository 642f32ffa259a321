// Generated from the contract by scripts/client-types.js.

import type { Liability } from './liability.js';
import type { JsonObject } from './shared.js';

export interface DecisionBody {
  /** The agent that made the decision. */
  readonly agent_id: string;
  /** The kind of action that was decided. */
  readonly action_type: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** From 0 to 1, inclusive. */
  readonly confidence: number;
  /** Actions that were considered but not chosen. */
  readonly alternatives?: readonly JsonObject[];
  /** Default: false. */
  readonly human_in_loop?: boolean;
  readonly metadata?: JsonObject;
  /** When the decision was made. Default: created_at. At most 5 minutes in the future. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly timestamp?: string;
}

export interface BatchDecision {
  /** The agent that made the decision. */
  readonly agent_id: string;
  /** The kind of action that was decided. */
  readonly action_type: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** From 0 to 1, inclusive. */
  readonly confidence: number;
  /** Actions that were considered but not chosen. */
  readonly alternatives?: readonly JsonObject[];
  /** Default: false. */
  readonly human_in_loop?: boolean;
  readonly metadata?: JsonObject;
  /** When the decision was made. Default: created_at. At most 5 minutes in the future. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly timestamp?: string;
  /** 1 to 200 printable ASCII characters, unique per decision. */
  readonly idempotency_key?: string;
}

export interface DecisionReceipt {
  readonly decision_id: string;
  /** Position in the chain, from 1. */
  readonly seq: number;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly timestamp: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly hash: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly prev_hash: string;
  /** The first estimate. Absent only if the decision was first recorded in a batch. */
  readonly liability?: Liability;
}

export interface BatchedReceipt {
  readonly decision_id: string;
  /** Position in the chain, from 1. */
  readonly seq: number;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly timestamp: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly hash: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly prev_hash: string;
  /** Whether the decision was recorded before, under the same key. */
  readonly replayed: boolean;
}

export interface DecisionBatchReceipt {
  readonly decisions: readonly BatchedReceipt[];
}

export interface Decision {
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
}

export interface DecisionPage {
  readonly decisions: readonly Decision[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface DecisionQuery {
  /** Only decisions of this agent. */
  readonly agent_id?: string;
  /** Only decisions of this action type. */
  readonly action_type?: string;
  readonly human_in_loop?: boolean;
  /** From 0 to 1, inclusive. */
  readonly min_confidence?: number;
  /** From 0 to 1, inclusive. */
  readonly max_confidence?: number;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
  readonly [name: `metadata.${string}`]: string;
}
