import type { ConnectionState } from '@decision-ledger/contract/accounting';
import { notFound } from '@decision-ledger/contract/errors';
import type { Database, Queryable } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { updateRetryNow } from '../../../platform/jobs/stored-jobs.js';
import type { Scope } from '../../../platform/scope.js';
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
  { db, jobs }: RequestPollTools,
  scope: Scope,
  connectionId: string,
): Promise<ConnectionState> {
  const isNamed = ({ id }: ConnectionState) => id === connectionId;
  if (!(await listConnections(db, scope)).some(isNamed)) throw notFound('accounting connection');
  await pollSoon(db, jobs, scope, connectionId);
  const connection = (await listConnections(db, scope)).find(isNamed);
  if (connection === undefined) throw notFound('accounting connection');
  return connection;
}

/** Starts a retry that waits, or queues a poll. */
export async function pollSoon(
  db: Queryable,
  jobs: JobQueue,
  scope: Scope,
  connectionId: string,
): Promise<void> {
  const data = { connection_id: connectionId };
  if (await updateRetryNow(db, scope, ACCOUNTING_POLLS, data)) return;
  await jobs.send(db, ACCOUNTING_POLLS, scope, data, connectionId);
}
