import type { JsonValue } from '@decision-ledger/proof/gate';
import type { TObject } from 'typebox';

/** A kind of background job: its data and its retries. */
export interface Queue<Schema extends TObject = TObject> {
  /** Letters, digits and hyphens; stored in the database. */
  readonly name: string;
  /** The data of a job, in addition to its ledger. */
  readonly data: Schema;
  /** With `key`, at most one job per key waits and at most one runs. */
  readonly once: 'always' | 'key';
  /** Retries after the first try. */
  readonly retries: number;
  /** Seconds before the first retry; each further delay about doubles, up to `longestDelay`. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** Seconds after which a running try is aborted. */
  readonly timeout: number;
  /** How many organisations a process serves at once, one job of each. Default: one. */
  readonly lanes?: number;
  /** Whether organisations are served in turn, rather than jobs in their order. */
  readonly inTurn?: boolean;
}

/** The queue of failed jobs, which wait until they are retried manually. */
export const DEAD_LETTERS = 'dead-letters';

/** The data of a job. */
export type JobData = { readonly [name: string]: JsonValue };
