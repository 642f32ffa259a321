// Generated from the contract by scripts/client-types.js.

import type { Hash, Timestamp } from './shared.js';

export interface PresentationBody {
  /** Fields to disclose. The decision must have been recorded with each of them; of one that was erased, the record of the erasure is shown. Empty to show the entry alone. */
  readonly fields: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
}

export interface DecisionPresentation {
  readonly decision_id: string;
  readonly seq: number;
  readonly hash: Hash;
  /** `pending` until checkpoints cover the decision and the erasures; the answer is then 202. */
  readonly status: 'covered' | 'pending';
  /** The text of a .dlp.json file; null while pending. */
  readonly presentation: string | null;
}

export interface Log {
  /** The chain of the log. */
  readonly chain: 'decisions' | 'activity';
  /** How often the log was started. */
  readonly generation: number;
  /** The first line of its checkpoints, and the name of its key. */
  readonly origin: string;
  /** Its public key (C2SP signed-note). */
  readonly verifier_key: string;
  readonly checkpoint: {
    /** Records that it covers. */
    readonly size: number;
    /** SHA-256 in base 64. */
    readonly root: string;
    readonly signed_at: Timestamp;
  };
}

export interface ConsistencyQuery {
  /** Records that the earlier checkpoint covers. */
  readonly first: number;
  /** Records that the later checkpoint covers, at most those of the last one. */
  readonly second: number;
}

export interface Consistency {
  readonly origin: string;
  readonly first: number;
  readonly second: number;
  /** RFC 9162 section 2.1.4; empty if `first` is 0 or equals `second`. */
  readonly proof: readonly string[];
}

export interface DecisionProof {
  readonly decision_id: string;
  readonly seq: number;
  readonly hash: Hash;
  /** `pending` until a checkpoint covers the decision; the answer is then 202. */
  readonly status: 'covered' | 'pending';
  /** The public key of the log (C2SP signed-note); null while pending. */
  readonly verifier_key: string | null;
  /** The text of a .tlog-proof file (C2SP tlog-proof): index, inclusion proof and checkpoint. Null while pending. */
  readonly tlog_proof: string | null;
}
