// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Timestamp } from './shared.js';

export interface DeadJob {
  readonly job_id: string;
  /** The queue, which names the kind of job. */
  readonly queue: string;
  readonly data: { readonly [name: string]: unknown };
  /** Error of the last try. */
  readonly error: string;
  readonly tries: number;
  readonly created_at: Timestamp;
  readonly failed_at: Timestamp;
}

export interface DeadJobPage extends Page {
  readonly jobs: readonly DeadJob[];
}

export type DeadJobQuery = PageQuery;

export interface RetriedJob {
  readonly job_id: string;
  readonly queue: string;
}
