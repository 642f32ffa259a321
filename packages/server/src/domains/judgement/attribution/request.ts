import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { Installation } from '../../../platform/installation.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/scope.js';
import { CORRELATION } from './queue.js';
import { selectWaitingLedgers } from './store/attribution-states.js';

/** Queues a correlation of a ledger's new events, unless one is queued. */
export async function requestCorrelation(ledger: Ledger, jobs: JobQueue): Promise<void> {
  await jobs.send(ledger, CORRELATION, {}, 'new events');
}

/** Queues after a commit without waiting. A failed request loses nothing: workers sweep as well. */
export function correlationAsker(
  db: Database,
  jobs: JobQueue,
  onError: (error: unknown) => void,
): (scope: Scope) => void {
  return (scope) => {
    requestCorrelation(db.ledger(scope), jobs).catch(onError);
  };
}

const DAY_MS = 86_400_000;

export interface SweepTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
  readonly jobs: JobQueue;
}

/**
 * Queues a correlation for every ledger whose request was lost with its process, and for the daily check
 * of its quality.
 */
export async function sweepUncorrelated({
  db,
  installation,
  clock,
  jobs,
}: SweepTools): Promise<void> {
  const today = Math.floor(clock.now() / DAY_MS);
  for (const scope of await selectWaitingLedgers(installation, today)) {
    await requestCorrelation(db.ledger(scope), jobs);
  }
}
