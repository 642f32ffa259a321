import type { Clock } from '../../platform/clock.js';
import type { Database, Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import type { ChainReport } from './chain-report.js';
import type { Pins } from './pins.js';

/** What files of a bundle are read from. */
export interface PartContext {
  readonly db: Database;
  readonly scope: Scope;
  readonly pins: Pins;
}

/** The same when the records are copied. */
export interface ClosingContext extends PartContext {
  /** Where the chain of activity ended then. */
  readonly activitySeq: number;
  readonly report: ChainReport;
  readonly clock: Clock;
  /** Of this one export; it is in no file. */
  readonly secret: Buffer;
  /** Ends the work with its reason. */
  readonly signal: AbortSignal;
}

/** Reads by several statements what was there at one moment. */
export function atOneMoment<Result>(
  db: Database,
  read: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query({
      text: 'set transaction isolation level repeatable read, read only',
      values: [],
    });
    return read(tx);
  });
}
