import type { ConnectionState } from '@decision-ledger/contract/accounting';
import { notFound } from '@decision-ledger/contract/errors';
import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { updateRetryNow } from '../../../platform/jobs/stored-jobs.js';
import type { Ledger } from '../../../platform/ledger.js';
import { listConnections } from './list.js';
import { ACCOUNTING_POLLS } from './queue.js';

export interface RequestPollTools {
  readonly db: Database;
  readonly jobs: JobQueue;
}

/**
 * Queues a poll of a connection, unless one is queued. A running poll is followed by another, because
 * it may have read before the request.
 * @throws LedgerError `not_found`
 */
export async function requestPoll(
  ledger: Ledger,
  { jobs }: Pick<RequestPollTools, 'jobs'>,
  connectionId: string,
): Promise<ConnectionState> {
  const isNamed = ({ id }: ConnectionState) => id === connectionId;
  if (!(await listConnections(ledger)).some(isNamed)) throw notFound('accounting connection');
  await pollSoon(ledger, jobs, connectionId);
  const connection = (await listConnections(ledger)).find(isNamed);
  if (connection === undefined) throw notFound('accounting connection');
  return connection;
}

/** Starts a retry that waits, or queues a poll. */
export async function pollSoon(
  ledger: Ledger,
  jobs: JobQueue,
  connectionId: string,
): Promise<void> {
  const data = { connection_id: connectionId };
  await ledger.write(async (tx) => {
    if (await updateRetryNow(tx, ACCOUNTING_POLLS, data)) return;
    await jobs.send(tx, ACCOUNTING_POLLS, data, connectionId);
  });
}
