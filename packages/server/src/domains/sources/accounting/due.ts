import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import { readSettings } from '../../access/settings/index.js';
import { pollSoon } from './request-poll.js';
import { selectConnectedLedgers, selectConnections } from './store/connections.js';
import { selectPendingPolls } from './store/jobs.js';

export interface DuePollTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
  readonly jobs: JobQueue;
}

/**
 * Queues a poll for every connection that is due and has none queued. A retry that waits is started
 * when the connection is due, so the end of an outage is noticed within one interval.
 */
export async function requestDuePolls(tools: DuePollTools): Promise<void> {
  for (const scope of await selectConnectedLedgers(tools.installation))
    await requestDue(tools.db.ledger(scope), tools);
}

async function requestDue(ledger: Ledger, { jobs }: DuePollTools): Promise<void> {
  const { accounting } = await readSettings(ledger);
  const rows = await selectConnections(ledger);
  const polledAt = new Map(rows.map((row) => [row.connection_id, row.polled_at]));
  const pending = await selectPendingPolls(ledger);
  const isPending = (id: string) =>
    pending.some(({ connection_id, state }) => connection_id === id && state !== 'retry');
  for (const { id, poll_seconds } of accounting) {
    const last = polledAt.get(id) ?? null;
    const isDue = last === null || ledger.clock.now() - last >= poll_seconds * 1000;
    if (isDue && !isPending(id)) await pollSoon(ledger, jobs, id);
  }
}
