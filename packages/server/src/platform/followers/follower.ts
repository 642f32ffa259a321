import type { FollowerKind } from '@decision-ledger/contract/operations';

import type { Sql } from 'sql-template-tag';
import type { ChainName } from '../chain/head.js';
import type { IdPrefix } from '../ids.js';
import type { Ledger, LedgerWriter } from '../ledger.js';
import type { Due } from './due-work.js';

/** Records of a log: after `after`, up to `until`. */
export interface Records {
  readonly log: ChainName;
  readonly after: number;
  readonly until: number;
  /** Whether the log ended at `until` when the range was chosen. */
  readonly isLast: boolean;
}

/** What a step read and computed. */
export interface FollowerStep {
  /** Part of the transaction that moves the position. */
  readonly write: (tx: LedgerWriter) => Promise<void>;
  /** Called after the commit. */
  readonly committed?: (ledger: Ledger) => Promise<void>;
}

/**
 * Followers of one lane wait for each other, those of different ones do not. `heavy`: each record costs much more than in the
 * short lane. `long`: a single record or subject may take longer than a quantum.
 */
export type LaneName = 'short' | 'heavy' | 'long';

interface Common {
  readonly name: string;
  readonly kind: FollowerKind;
  /** The tables, or columns of tables, that nobody else writes. */
  readonly owns: readonly string[];
  /** The most records, or subjects, of one step. */
  readonly step: number;
  /** Default: short. */
  readonly lane?: LaneName;
  /** Whether a failure is not that of a record, so that fewer records would fail as well. */
  readonly isFatal?: (error: unknown) => boolean;
}

/** Something that takes each record of the logs once, in their order. */
export interface LogFollower extends Common {
  /** In the order in which they are followed. */
  readonly follows: readonly ChainName[];
  /**
   * Whether a ledger is due, beside having new records: a condition on `l`, its row of `ledgers`.
   * @param ledgerId UUID, or the column that has it
   * @param now ms
   */
  readonly isDue?: (ledgerId: string | Sql, now: number) => Sql;
  /** Whether it has stopped at a ledger until somebody acts, as a condition on `l`: it is behind, but has nothing to do. */
  readonly hasStopped?: Sql;
  /** Called after a failure, outside the transaction. */
  readonly failed?: (ledger: Ledger, log: ChainName, error: unknown) => Promise<void>;
  /** Reads and computes; only `write` of the step may change anything that is not idempotent. */
  advance(ledger: Ledger, records: Records): Promise<FollowerStep>;
}

/** Subjects that are due. */
export interface Subjects {
  readonly due: readonly Due[];
  /** Whether no others were due when they were chosen. */
  readonly isLast: boolean;
}

/** What a step on subjects read and computed. */
export interface DueStep {
  /** Locks, in the order of all who lock them, what is locked before subjects. */
  readonly lock?: (tx: LedgerWriter) => Promise<unknown>;
  /**
   * Part of the transaction after which the subjects that it returns are no longer due. `hastenDue`, `restartDue` and
   * `noteProgress` alone mark a subject that is due already; whatever else may have changed what the step read must be
   * compared again under the locks. A subject that takes several steps stays due, with the progress that `noteProgress` stores.
   * @param subjects UUIDs of those that are due still and unchanged since the step read them. They are locked
   */
  readonly write: (tx: LedgerWriter, subjects: readonly string[]) => Promise<readonly string[]>;
  /** When subjects that are done are due again, in ms; without it, they are not. */
  readonly again?: number;
}

/** Something that does what other transactions made due, for each subject once. */
export interface DueFollower extends Common {
  /** What the ids of its subjects begin with. */
  readonly subjects: IdPrefix;
  /**
   * What time alone makes due, without a transaction that could know of it: a query of the subjects (UUIDs) of a ledger.
   * @param ledgerId UUID, or the column that has it
   * @param now ms
   */
  readonly found?: (ledgerId: string | Sql, now: number) => Sql;
  /**
   * Reads and computes; only `write` of the step may change anything that is not idempotent.
   * @returns null if they have to wait for something else
   */
  advance(ledger: Ledger, subjects: Subjects): Promise<DueStep | null>;
}

/** What is kept up to date beside the record. */
export type Follower = LogFollower | DueFollower;

export const followsLogs = (follower: Follower): follower is LogFollower => 'follows' in follower;
