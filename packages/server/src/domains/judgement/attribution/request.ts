import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { CORRELATION } from './queue.js';
import { selectWaitingLedgers } from './store/attribution-states.js';

/** Queues a correlation of a ledger's new events, unless one is queued. */
export async function requestCorrelation(
  db: Database,
  jobs: JobQueue,
  scope: Scope,
): Promise<void> {
  await jobs.send(db, CORRELATION, scope, {}, 'new events');
}

/** Queues after a commit without waiting. A failed request loses nothing: workers sweep as well. */
export function correlationAsker(
  db: Database,
  jobs: JobQueue,
  onError: (error: unknown) => void,
): (scope: Scope) => void {
  return (scope) => {
    requestCorrelation(db, jobs, scope).catch(onError);
  };
}

/** Queues a correlation for every ledger whose request was lost with its process. */
export async function sweepUncorrelated(db: Database, jobs: JobQueue): Promise<void> {
  for (const scope of await selectWaitingLedgers(db)) await requestCorrelation(db, jobs, scope);
}
