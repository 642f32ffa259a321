import { Gauge, type Registry } from 'prom-client';
import type { ChainName } from './chain/head.js';

export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly dead: number;
  /** How long the oldest due job has waited; 0 if none is due. */
  readonly oldestSeconds: number;
}

export interface ChainLength {
  readonly chain: ChainName;
  readonly records: number;
}

/** Exports by status; complete ones count while their file is kept. */
export interface ExportCounts {
  readonly pending: number;
  readonly running: number;
  readonly complete: number;
}

/** The last nightly comparisons of tables with the activity chain, over all ledgers. */
export interface ReconciliationCounts {
  readonly findings: number;
  /** Ledgers whose tables differ, or whose chain is broken. */
  readonly ledgers: number;
}

/** How far a follower is behind, over all ledgers. */
export interface FollowerLag {
  readonly follower: string;
  /** Or subjects that are due. */
  readonly records: number;
  /** Age of the oldest of them; 0 if there is none. */
  readonly seconds: number;
  /** Records or subjects that it could not take. */
  readonly failures: number;
}

/** Figures of all ledgers, read from the database. */
export interface StoredFigures {
  readonly queues: readonly QueueDepth[];
  readonly exports: ExportCounts;
  readonly chains: readonly ChainLength[];
  readonly reconciliations: ReconciliationCounts;
  readonly followers: readonly FollowerLag[];
}

export interface StoredMetrics {
  /** @param at when the figures were read, in ms */
  showStored(figures: StoredFigures, at: number): void;
}

/** Gauges of stored figures: empty until the first read, then the last values. */
export function storedMetrics(registers: Registry[]): StoredMetrics {
  const jobs = new Gauge({
    name: 'ledger_queue_jobs',
    help: 'Background jobs by queue and state (waiting, active), counted up to 100000',
    labelNames: ['queue', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'ledger_queue_oldest_job_age_seconds',
    help: 'How long the oldest due job has waited, by queue; 0 if none is due',
    labelNames: ['queue'],
    registers,
  });
  const dead = new Gauge({
    name: 'ledger_dead_letters',
    help: 'Failed jobs, by queue, counted up to 100000',
    labelNames: ['queue'],
    registers,
  });
  const exported = new Gauge({
    name: 'ledger_exports',
    help: 'Exports by status: pending, running, and complete while the file is kept',
    labelNames: ['status'],
    registers,
  });
  const records = new Gauge({
    name: 'ledger_chain_records',
    help: 'Records in the chains of all ledgers, by chain',
    labelNames: ['chain'],
    registers,
  });
  const findings = new Gauge({
    name: 'ledger_reconciliation_findings',
    help: 'Differences between tables and activity chains that the last nightly comparisons found',
    registers,
  });
  const unreconciled = new Gauge({
    name: 'ledger_unreconciled_ledgers',
    help: 'Ledgers whose tables differ from their activity chain, or whose chain is broken',
    registers,
  });
  const lagRecords = new Gauge({
    name: 'ledger_follower_lag_records',
    help: 'Records of all ledgers that a follower has not taken, or due work that it has not done',
    labelNames: ['follower'],
    registers,
  });
  const lagSeconds = new Gauge({
    name: 'ledger_follower_lag_seconds',
    help: 'Age of the oldest record that a follower has not taken, or of the oldest due work; 0 if there is none',
    labelNames: ['follower'],
    registers,
  });
  const failedRecords = new Gauge({
    name: 'ledger_follower_failed_records',
    help: 'Records that a follower passed over or has stopped at, and due work that failed',
    labelNames: ['follower'],
    registers,
  });
  const readAt = new Gauge({
    name: 'ledger_stored_figures_timestamp_seconds',
    help: 'When the database figures were read, in seconds since 1970; 0 before the first read',
    registers,
  });
  return {
    showStored({ queues, exports, chains, reconciliations, followers }, at) {
      for (const { queue, waiting, active, ...rest } of queues) {
        jobs.set({ queue, state: 'waiting' }, waiting);
        jobs.set({ queue, state: 'active' }, active);
        oldest.set({ queue }, rest.oldestSeconds);
        dead.set({ queue }, rest.dead);
      }
      for (const [status, count] of Object.entries(exports)) exported.set({ status }, count);
      for (const { chain, records: count } of chains) records.set({ chain }, count);
      findings.set(reconciliations.findings);
      unreconciled.set(reconciliations.ledgers);
      for (const { follower, records: count, seconds, failures } of followers) {
        lagRecords.set({ follower }, count);
        lagSeconds.set({ follower }, seconds);
        failedRecords.set({ follower }, failures);
      }
      readAt.set(at / 1000);
    },
  };
}
