// Generated from the contract by scripts/client-types.js.

import type { JsonObject } from './shared.js';

export interface DeadJob {
  readonly job_id: string;
  /** The queue, which names the kind of job. */
  readonly queue: string;
  readonly data: JsonObject;
  /** Error of the last try. */
  readonly error: string;
  readonly tries: number;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly failed_at: string;
}

export interface DeadJobPage {
  readonly jobs: readonly DeadJob[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface DeadJobQuery {
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}

export interface RetriedJob {
  readonly job_id: string;
  readonly queue: string;
}
