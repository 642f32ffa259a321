// Generated from the contract by scripts/client-types.js.

import type { Timestamp } from './shared.js';

export interface FollowerLog {
  readonly log: 'decisions' | 'activity';
  /** The last record that was taken. */
  readonly position: number;
  /** The last record of the log. */
  readonly head: number;
  readonly lag_records: number;
  /** Age of the first record that was not taken; 0 if there is none. */
  readonly lag_seconds: number;
}

export interface FollowerDue {
  /** Subjects that are due, up to 100000. */
  readonly waiting: number;
  /** How long the first of them has been due; 0 if there is none. */
  readonly lag_seconds: number;
}

export interface FollowerFailure {
  /** Null for a subject. */
  readonly log: 'decisions' | 'activity' | null;
  readonly seq: number | null;
  /** Id of what was due, such as that of a financial event; null for a record. */
  readonly subject: string | null;
  /** Error of the first try, or of the last one if it is repeated. */
  readonly reason: string;
  readonly failed_at: Timestamp;
  /** When the follower tries again: it has stopped before the record, or set the subject aside. Null if it has passed over the record. */
  readonly retry_at: string | null;
}

export interface Follower {
  readonly name: string;
  readonly kind: 'projection' | 'recorder' | 'delivery';
  readonly logs: readonly FollowerLog[];
  /** Null if it follows logs. */
  readonly due: FollowerDue | null;
  /** Records or subjects that could not be taken. */
  readonly failures: number;
  /** The last of them, newest first. */
  readonly failed_records: readonly FollowerFailure[];
}

export interface FollowerList {
  readonly followers: readonly Follower[];
}
