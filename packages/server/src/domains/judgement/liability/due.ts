import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { RECALCULATION } from './queue.js';
import { lastDue } from './rules/due.js';
import { selectDueLedgers } from './store/liability-states.js';

export interface DueTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: JobQueue;
}

/** Queues a job for each ledger whose nightly run is due, including missed runs. */
export async function requestDueRuns({ db, clock, jobs }: DueTools): Promise<void> {
  for (const scope of await selectDueLedgers(db, lastDue(clock.now()))) {
    await jobs.send(db, RECALCULATION, scope, {}, 'nightly');
  }
}
