import { type Clock, lastDueTime } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Installation } from '../../../platform/statement.js';
import { LOG_REBUILDS } from './queue.js';
import { type RoundTools, signRound } from './round.js';
import { selectUnrebuiltLedgers, selectUnsignedLedgers } from './store/due-logs.js';

export interface RoundRequestTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
  readonly jobs: JobQueue;
}

/** Queues a nightly rebuild for each ledger that had none since 02:00 UTC. */
export async function requestDueRebuilds({
  db,
  installation,
  clock,
  jobs,
}: RoundRequestTools): Promise<void> {
  for (const scope of await selectUnrebuiltLedgers(
    installation,
    lastDueTime(clock.now(), REBUILD_AT),
  )) {
    await jobs.send(db.ledger(scope), LOG_REBUILDS, {}, 'rebuild');
  }
}

/** Time of day (UTC) of the rebuild. */
const REBUILD_AT = 2 * 3_600_000;

/** The longest time that a process works on last rounds before it stops, in ms. */
const LAST_ROUNDS_MS = 5000;

/**
 * Signs what was recorded since the last round, before a process stops. What takes too long is left to the
 * next start.
 */
export async function signLastRounds(
  tools: RoundTools & { readonly db: Database; readonly installation: Installation },
): Promise<void> {
  const signal = AbortSignal.timeout(LAST_ROUNDS_MS);
  const failures: unknown[] = [];
  for (const scope of await selectUnsignedLedgers(tools.installation)) {
    if (signal.aborted) break;
    await signRound(tools.db.ledger(scope), tools, signal).catch((error: unknown) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, 'rounds of ledgers failed');
}
