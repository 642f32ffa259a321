import type { Entry } from './encode.js';
import type { LedgerProblem } from './errors.js';
import type { Timers } from './platform.js';
import type { Lane } from './queue.js';
import type { Anchor } from './receipts.js';

/** Where decisions are kept on disk until they are delivered. Only in Node.js. */
export interface OutboxOptions {
  /** A folder on a local disk; it is created. Several processes may share it. */
  readonly path: string;
  /** Wait for the disk after each decision: survives a loss of power, but takes milliseconds. */
  readonly fsync?: boolean;
  /** The largest size in bytes. Beyond it, decisions wait in memory. Default: 10 GiB. */
  readonly maxBytes?: number;
}

/** Decisions on disk. Two lanes: those of this process, and those that dead processes left. */
export interface Outbox {
  readonly own: OwnLane;
  readonly recovered: Lane;
  /** Bytes of undelivered decisions on disk. */
  readonly bytes: number;
  /** The last receipt of the processes that used the folder; null before the first. */
  readonly anchor: Anchor | null;
  /** Resolves after the folders of dead processes were searched. */
  readonly ready: Promise<void>;
  /** Keeps the last receipt for the next process. */
  keepAnchor(anchor: Anchor): void;
  /** Keeps a refused decision in the file of dead letters. */
  bury(entry: Entry, reason: Readonly<Record<string, unknown>>): void;
  /** Removes what is delivered, and releases the rest for the next process. */
  close(): void;
}

/** The lane of this process. */
export interface OwnLane extends Lane {
  /**
   * Stores a decision before it returns.
   * @returns whether it is on disk, only in memory, or nowhere because both failed
   */
  add(entry: Omit<Entry, 'bytes'>): 'stored' | 'memory' | 'full';
  /** Waiting decisions that are only in memory. */
  readonly unstored: number;
}

export interface OutboxTools {
  readonly timers: Timers;
  readonly now: () => number;
  /** Limits of the copies in memory. */
  readonly maxDecisions: number;
  readonly maxBytes: number;
  readonly report: (problem: LedgerProblem) => void;
  /** Called when decisions of dead processes were found. */
  readonly onRecovered: () => void;
}

export type OutboxFactory = (options: OutboxOptions, tools: OutboxTools) => Outbox;
