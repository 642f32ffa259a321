import { Gauge, type Registry } from 'prom-client';
import type { ChainName } from './chain/head.js';

export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly dead: number;
  /** How long what is due has waited; 0 where nothing is. */
  readonly oldestSeconds: number;
}

export interface ChainLength {
  readonly chain: ChainName;
  readonly records: number;
}

/** Complete ones as long as their file is kept. */
export interface ExportCounts {
  readonly pending: number;
  readonly running: number;
  readonly complete: number;
}

/** What the database says of all ledgers together. */
export interface StoredFigures {
  readonly queues: readonly QueueDepth[];
  readonly exports: ExportCounts;
  readonly chains: readonly ChainLength[];
}

export interface StoredMetrics {
  /** @param at ms, when they were read */
  showStored(figures: StoredFigures, at: number): void;
}

/** Gauges of what is stored: nothing until the first figures, and the last ones from then on. */
export function storedMetrics(registers: Registry[]): StoredMetrics {
  const jobs = new Gauge({
    name: 'ledger_queue_jobs',
    help: 'Background jobs by queue and state (waiting, active), counted up to 100000',
    labelNames: ['queue', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'ledger_queue_oldest_job_age_seconds',
    help: 'How long the oldest job that is due has waited, by queue; 0 where none is due',
    labelNames: ['queue'],
    registers,
  });
  const dead = new Gauge({
    name: 'ledger_dead_letters',
    help: 'Jobs that were given up, by the queue that gave them up, counted up to 100000',
    labelNames: ['queue'],
    registers,
  });
  const exported = new Gauge({
    name: 'ledger_exports',
    help: 'Exports by status: pending and running ones, and complete ones whose file is kept',
    labelNames: ['status'],
    registers,
  });
  const records = new Gauge({
    name: 'ledger_chain_records',
    help: 'Records in the chains of all ledgers together, by chain',
    labelNames: ['chain'],
    registers,
  });
  const readAt = new Gauge({
    name: 'ledger_stored_figures_timestamp_seconds',
    help: 'When the figures of the database were read, in seconds since 1970; 0 before the first',
    registers,
  });
  return {
    showStored({ queues, exports, chains }, at) {
      for (const { queue, waiting, active, ...rest } of queues) {
        jobs.set({ queue, state: 'waiting' }, waiting);
        jobs.set({ queue, state: 'active' }, active);
        oldest.set({ queue }, rest.oldestSeconds);
        dead.set({ queue }, rest.dead);
      }
      for (const [status, count] of Object.entries(exports)) exported.set({ status }, count);
      for (const { chain, records: count } of chains) records.set({ chain }, count);
      readAt.set(at / 1000);
    },
  };
}
