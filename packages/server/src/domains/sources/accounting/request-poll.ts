import type { ConnectionState } from '@decision-ledger/contract/accounting';
import { notFound } from '@decision-ledger/contract/errors';
import type { Database, Queryable } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { listConnections } from './list.js';
import { ACCOUNTING_POLLS } from './queue.js';
import { updateRetryNow } from './store/jobs.js';

export interface RequestPollTools {
  readonly db: Database;
  readonly jobs: JobQueue;
}

/**
 * Has a connection polled as soon as a worker is free. What waits already is not asked for twice; a
 * poll that is under way is followed by one more, since it may have read before what is asked for.
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

/** Ends the pause behind a failed try, or leaves a job where there is none. */
export async function pollSoon(
  db: Queryable,
  jobs: JobQueue,
  scope: Scope,
  connectionId: string,
): Promise<void> {
  if (await updateRetryNow(db, scope, connectionId)) return;
  await jobs.send(db, ACCOUNTING_POLLS, scope, { connection_id: connectionId }, connectionId);
}
