import type { Database } from '../../platform/database.js';
import type { JobBoard } from '../../platform/jobs/board.js';
import type { Scope } from '../../platform/scope.js';
import { CORRELATION } from './queue.js';
import { selectWaitingLedgers } from './store/select-waiting-ledgers.js';
import { takeNewEvents } from './store/take-new-events.js';
import { updateCorrelated } from './store/update-correlated.js';

/** Events in one transaction: few enough to keep it short. */
const STEP = 100;

/**
 * Works off the new events of a ledger, oldest first. An event that was worked off is never taken
 * up again by this, whatever dies in between. Scoring will stand between taking and noting.
 */
export async function correlateNewEvents(
  db: Database,
  scope: Scope,
  signal: AbortSignal,
): Promise<void> {
  let taken = STEP;
  while (taken === STEP && !signal.aborted) {
    taken = await db.transaction(async (tx) => {
      const events = await takeNewEvents(tx, scope, STEP);
      if (events.length > 0) await updateCorrelated(tx, scope, events);
      return events.length;
    });
  }
}

/** Leaves a job for the new events of a ledger, unless one waits already. */
export async function requestCorrelation(
  db: Database,
  jobs: JobBoard,
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
  jobs: JobBoard,
  onError: (error: unknown) => void,
): (scope: Scope) => void {
  return (scope) => {
    requestCorrelation(db, jobs, scope).catch(onError);
  };
}

/** The same for every ledger with events that nobody asked for, because a process died. */
export async function sweepUncorrelated(db: Database, jobs: JobBoard): Promise<void> {
  for (const scope of await selectWaitingLedgers(db)) await requestCorrelation(db, jobs, scope);
}
