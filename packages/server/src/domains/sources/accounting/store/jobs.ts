import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { DEAD_LETTERS } from '../../../../platform/jobs/queue.js';
import type { Scope } from '../../../../platform/scope.js';
import { ACCOUNTING_POLLS } from '../queue.js';

/** Deletes the failed polls of a connection: a later successful poll has read their changes. */
export async function deleteDeadPolls(
  db: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
): Promise<void> {
  await db.query(sql`
    delete from pgboss.job
    where name = ${DEAD_LETTERS} and source_name = ${ACCOUNTING_POLLS.name}
      and data ->> 'ledger_id' = ${ledgerId} and data ->> 'connection_id' = ${connectionId}`);
}

export interface PendingPoll {
  readonly connection_id: string;
  /** `retry`: waits after a failed attempt. */
  readonly state: 'created' | 'retry' | 'active';
}

/** Polls that are queued, running or waiting for a retry. */
export async function selectPendingPolls(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<PendingPoll[]> {
  return db.query<PendingPoll>(sql`
    select data ->> 'connection_id' as connection_id, state::text as state from pgboss.job
    where name = ${ACCOUNTING_POLLS.name} and state in ('created', 'retry', 'active')
      and data ->> 'ledger_id' = ${ledgerId}`);
}

/** Starts a retry that waits. @returns whether there was one */
export async function updateRetryNow(
  db: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    update pgboss.job set start_after = least(start_after, now())
    where name = ${ACCOUNTING_POLLS.name} and state = 'retry'
      and data ->> 'ledger_id' = ${ledgerId} and data ->> 'connection_id' = ${connectionId}
    returning id`);
  return rows.length > 0;
}
