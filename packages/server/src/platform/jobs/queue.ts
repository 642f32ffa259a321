import type { JsonValue } from '@decision-ledger/proof/gate';
import type { TObject } from 'typebox';

/** One kind of background work: what its jobs hold, and how often they are tried. */
export interface Queue<Schema extends TObject = TObject> {
  /** Letters, digits and hyphens; kept in the database. */
  readonly name: string;
  /** What a job holds beside the ledger that it works for. */
  readonly data: Schema;
  /** With `key`, at most one job of a key waits and at most one is worked on. */
  readonly once: 'always' | 'key';
  /** Tries after the first. */
  readonly retries: number;
  /** Seconds before the second try; each further wait is about twice as long, up to `longestDelay`. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** Seconds after which a try that has not ended is given up. */
  readonly timeout: number;
}

/** The queue in which jobs that were given up wait until somebody has them tried again. */
export const DEAD_LETTERS = 'dead-letters';

/** What a job holds. */
export type JobData = { readonly [name: string]: JsonValue };
