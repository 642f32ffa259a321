import sql from 'sql-template-tag';
import type { LedgerWriter } from '../ledger.js';
import type { Queryable } from '../statement.js';
import { DEAD_LETTERS, type JobData, type Queue } from './queue.js';

/**
 * Requeues the active jobs of a process that died, where no other process can have active jobs. Jobs
 * without tries left are left to the supervisor, as are jobs whose key already has a waiting job.
 */
export async function giveBackActive(db: Queryable): Promise<void> {
  await db.query(sql`
    update pgboss.job j set state = 'retry', start_after = now(), heartbeat_on = null
    where j.state = 'active' and j.retry_count < j.retry_limit
      and not exists (select from pgboss.job w
        where w.name = j.name and w.state = 'retry' and w.policy = 'stately'
          and w.singleton_key is not distinct from j.singleton_key)`);
}

/** Deletes the failed jobs of a queue with these data: a later one did their work. */
export async function deleteDeadJobs(tx: LedgerWriter, queue: Queue, data: JobData): Promise<void> {
  await tx.query(sql`
    delete from pgboss.job
    where name = ${DEAD_LETTERS} and source_name = ${queue.name}
      and data ->> 'ledger_id' = ${tx.ledgerId} and data @> ${JSON.stringify(data)}::jsonb`);
}

/** Starts a retry that waits, of the job of a queue with these data. @returns whether there was one */
export async function updateRetryNow(
  tx: LedgerWriter,
  queue: Queue,
  data: JobData,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update pgboss.job set start_after = least(start_after, now())
    where name = ${queue.name} and state = 'retry'
      and data ->> 'ledger_id' = ${tx.ledgerId} and data @> ${JSON.stringify(data)}::jsonb
    returning id`);
  return rows.length > 0;
}

/**
 * The turn of an organisation's next job in a queue: after its last one there, and after the turn that is being served. So
 * each job waits for one job of every other organisation for each one of its own, and nothing that comes later goes before
 * it for long.
 */
export async function selectTurn(db: Queryable, queue: Queue, orgId: string): Promise<number> {
  const [row] = await db.query<{ turn: number }>(sql`
    select 1 + greatest(
      max(-priority) filter (where group_id = ${orgId}),
      coalesce(max(-priority) filter (where state = 'active'),
        min(-priority) filter (where state = 'created') - 1, 0)) as turn
    from pgboss.job where name = ${queue.name} and state in ('created', 'retry', 'active')`);
  return row?.turn ?? 1;
}

/**
 * Whether a job of an organisation that has none running in the queue has waited for so long.
 * @param ms the shortest wait
 */
export async function isAwaited(db: Queryable, queue: string, ms: number): Promise<boolean> {
  const rows = await db.query(sql`
    select from pgboss.job w
    where w.name = ${queue} and w.state in ('created', 'retry')
      and greatest(w.created_on, w.start_after) <= now() - ${ms}::float8 * interval '1 ms'
      and not exists (select from pgboss.job a
        where a.name = w.name and a.state = 'active' and a.group_id = w.group_id)
    limit 1`);
  return rows.length > 0;
}
