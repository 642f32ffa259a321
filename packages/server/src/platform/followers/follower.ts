import type { FollowerKind } from '@decision-ledger/contract/follower';
import type { Sql } from 'sql-template-tag';
import type { ChainName } from '../chain/head.js';
import type { Ledger, LedgerWriter } from '../ledger.js';

/** Records of a log: after `after`, up to `until`. */
export interface Records {
  readonly log: ChainName;
  readonly after: number;
  readonly until: number;
  /** Whether the log ended at `until` when the range was chosen. */
  readonly isLast: boolean;
}

/** What a step read and computed. */
export interface Step {
  /** Part of the transaction that moves the position. */
  readonly write: (tx: LedgerWriter) => Promise<void>;
  /** Called after the commit. */
  readonly committed?: (ledger: Ledger) => Promise<void>;
}

/** Something that takes each record of the logs once, in their order. */
export interface Follower {
  readonly name: string;
  readonly kind: FollowerKind;
  /** In the order in which they are followed. */
  readonly follows: readonly ChainName[];
  /** The tables, or columns of tables, that nobody else writes. */
  readonly owns: readonly string[];
  /** The most records of one step. */
  readonly step: number;
  /**
   * Whether a ledger is due, beside having new records: a condition on `l`, a row of `ledgers`.
   * @param now ms
   */
  readonly isDue?: (now: number) => Sql;
  /** Whether a failure is not that of a record, so that fewer records would fail as well. */
  readonly isFatal?: (error: unknown) => boolean;
  /** Called after a failure, outside the transaction. */
  readonly failed?: (ledger: Ledger, log: ChainName, error: unknown) => Promise<void>;
  /** Reads and computes; only `write` of the step may change anything that is not idempotent. */
  advance(ledger: Ledger, records: Records): Promise<Step>;
}
