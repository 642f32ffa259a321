// Generated from the contract by scripts/client-types.js.

import type { Liability } from './liability.js';
import type { Link } from './link.js';
import type { Hash, Page, PageQuery, RangeQuery, Timestamp } from './shared.js';

export interface DecisionBody {
  /** The agent that made the decision. */
  readonly agent_id: string;
  /** The kind of action that was decided. */
  readonly action_type: string;
  readonly inputs: { readonly [name: string]: unknown };
  readonly outputs: { readonly [name: string]: unknown };
  /** From 0 to 1, inclusive. */
  readonly confidence: number;
  /** Actions that were considered but not chosen. */
  readonly alternatives?: readonly { readonly [name: string]: unknown }[];
  /** Default: false. */
  readonly human_in_loop?: boolean;
  readonly metadata?: { readonly [name: string]: unknown };
  /** When the decision was made. Default: created_at. At most 5 minutes in the future. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly timestamp?: string;
}

export interface BatchDecision extends DecisionBody {
  /** 1 to 200 printable ASCII characters, unique per decision. */
  readonly idempotency_key?: string;
}

export interface DecisionReceipt {
  readonly decision_id: string;
  /** Position in the chain, from 1. */
  readonly seq: number;
  readonly timestamp: Timestamp;
  readonly created_at: Timestamp;
  readonly hash: Hash;
  readonly prev_hash: Hash;
  /** A signed note (C2SP signed-note) over ledger, seq, hash and created_at, by the key of the log. Present if the request preferred `receipt=signed`. */
  readonly signed_receipt?: string;
  /** The first estimate. Absent only if the decision was first recorded in a batch. */
  readonly liability?: Liability;
}

export interface BatchedReceipt {
  readonly decision_id: string;
  /** Position in the chain, from 1. */
  readonly seq: number;
  readonly timestamp: Timestamp;
  readonly created_at: Timestamp;
  readonly hash: Hash;
  readonly prev_hash: Hash;
  /** Whether the decision was recorded before, under the same key. */
  readonly replayed: boolean;
}

export interface RefusedDecision {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly error: {
    /** One of the error codes of the API. */
    readonly code: string;
    readonly message: string;
    /** `fields` maps the path of each invalid field to its problems. */
    readonly details?: { readonly [name: string]: unknown };
  };
}

export interface DecisionBatchReceipt {
  /** A receipt for each decision that is recorded, in the order of the request. */
  readonly decisions: readonly BatchedReceipt[];
  /** The decisions that were refused, in the order of the request. Present if the request preferred `handling=lenient`. */
  readonly refused?: readonly RefusedDecision[];
}

export interface Decision {
  readonly decision_id: string;
  readonly seq: number;
  readonly agent_id: string;
  readonly action_type: string;
  readonly inputs?: { readonly [name: string]: unknown };
  readonly outputs?: { readonly [name: string]: unknown };
  readonly confidence: number;
  readonly alternatives?: readonly { readonly [name: string]: unknown }[];
  readonly human_in_loop: boolean;
  readonly metadata?: { readonly [name: string]: unknown };
  /** Absent if nothing was erased. */
  readonly erased_fields?: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
  readonly timestamp: Timestamp;
  readonly created_at: Timestamp;
  readonly hash: Hash;
  readonly prev_hash: Hash;
}

export interface DecisionPage extends Page {
  readonly decisions: readonly Decision[];
}

export interface DecisionQuery extends PageQuery, RangeQuery {
  /** Only decisions of this agent. */
  readonly agent_id?: string;
  /** Only decisions of this action type. */
  readonly action_type?: string;
  readonly human_in_loop?: boolean;
  /** From 0 to 1, inclusive. */
  readonly min_confidence?: number;
  /** From 0 to 1, inclusive. */
  readonly max_confidence?: number;
  readonly [name: `metadata.${string}`]: string;
}

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
  /** How the action ended, as the settings of `liability.outcomes` read it from what is recorded now. */
  readonly outcome: {
    readonly outcome: 'done' | 'failed' | 'denied' | 'unknown';
    /** What says so: a statement in `metadata.outcome`, a listed value, an error or an HTTP status. Null if nothing does. */
    readonly reason: 'stated' | 'value' | 'error' | 'http_status' | null;
    /** The path of that value, such as `outputs.status`. */
    readonly by: string | null;
  };
  /** The current estimate: the stored one, or the first one until it is stored. */
  readonly liability: Liability | null;
  /** Its active links, newest first: at most one page of GET /links. */
  readonly links: readonly Link[];
  /** The cursor that continues the list with GET /links?decision_id={id}. Null if the list is complete. */
  readonly links_next_cursor: string | null;
}

export interface UploadBody {
  /** All bytes that will be sent. */
  readonly size: number;
  readonly sha256: Hash;
  readonly media_type: string;
}

export interface Upload extends UploadBody {
  readonly upload_id: string;
  /** How many bytes have arrived: where the next chunk begins. */
  readonly offset: number;
  /** Every chunk but the last has exactly so many bytes. */
  readonly chunk_bytes: number;
  /** Whether all bytes have arrived and have the digest: a decision may name it. */
  readonly is_complete: boolean;
  /** When it is deleted unless a decision takes it before. Null: a decision has. */
  readonly expires_at: string | null;
}

export interface AppendQuery {
  /** Where the chunk begins. */
  readonly offset: number;
}

export interface ErasureBody {
  /** Fields to erase. The decision must have been recorded with each of them. */
  readonly fields: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
  /** Kept permanently and disclosed in evidence bundles: do not repeat the erased data. */
  readonly reason: string;
}

export interface Erasure {
  readonly decision_id: string;
  /** All erased fields of the decision, including earlier erasures. */
  readonly erased_fields: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
  /** Position of the record in the activity chain. Absent if all fields were already erased. */
  readonly activity_seq?: number;
}
