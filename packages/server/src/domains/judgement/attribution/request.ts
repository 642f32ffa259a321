import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { CORRELATION } from './queue.js';
import { selectWaitingLedgers } from './store/attribution-states.js';

/** Leaves a job for the new events of a ledger, unless one waits already. */
export async function requestCorrelation(
  db: Database,
  jobs: JobQueue,
  scope: Scope,
): Promise<void> {
  await jobs.send(db, CORRELATION, scope, {}, 'new events');
}

/**
 * The same after a commit, for callers who do not wait: nothing is lost with a request that fails,
 * since workers look for events that nobody asked for.
 */
export function correlationAsker(
  db: Database,
  jobs: JobQueue,
  onError: (error: unknown) => void,
): (scope: Scope) => void {
  return (scope) => {
    requestCorrelation(db, jobs, scope).catch(onError);
  };
}

/** The same for every ledger with work that nobody asked for, because a process died. */
export async function sweepUncorrelated(db: Database, jobs: JobQueue): Promise<void> {
  for (const scope of await selectWaitingLedgers(db)) await requestCorrelation(db, jobs, scope);
}
