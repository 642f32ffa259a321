import type { JsonValue } from '@decision-ledger/proof/gate';
import sql from 'sql-template-tag';
import type { TObject } from 'typebox';
import type { LedgerWriter } from '../ledger.js';
import type { Queryable } from '../statement.js';

/**
 * Requeues the active jobs of a process that died, where no other process can have active jobs. Jobs
 * without tries left are left to the supervisor, as are jobs whose key already has a waiting job.
 */
export async function giveBackActive(db: Queryable): Promise<void> {
  await db.query(sql`
    update job j set state = 'retry', start_after = now(), heartbeat_on = null
    where j.state = 'active' and j.retry_count < j.retry_limit
      and not exists (select from job w
        where w.name = j.name and w.state = 'retry' and w.policy = 'stately'
          and w.singleton_key is not distinct from j.singleton_key)`);
}

/** A running job that may go on in another queue. */
export interface Move {
  readonly from: Queue;
  readonly to: Queue;
  readonly data: JobData;
}

/** Deletes the failed jobs of a queue with these data: a later one did their work. */
export async function deleteDeadJobs(tx: LedgerWriter, queue: Queue, data: JobData): Promise<void> {
  await tx.query(sql`
    delete from job
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
    update job set start_after = least(start_after, now())
    where name = ${queue.name} and state = 'retry'
      and data ->> 'ledger_id' = ${tx.ledgerId} and data @> ${JSON.stringify(data)}::jsonb
    returning id`);
  return rows.length > 0;
}

/**
 * The turn of an organisation's next job in a queue: after its last one there, and after the turn that is being served. So
 * each job waits for one job of every other organisation for each one of its own, and nothing that comes later goes before
 * it for long. A job that is tried again has an old turn, so what is served is at least the turn before the next job's.
 */
export async function selectTurn(db: Queryable, queue: Queue, orgId: string): Promise<number> {
  const [row] = await db.query<{ turn: number }>(sql`
    select 1 + greatest(
      max(-priority) filter (where group_id = ${orgId}),
      max(-priority) filter (where state <> 'created'),
      min(-priority) filter (where state = 'created') - 1, 0) as turn
    from job where name = ${queue.name} and state in ('created', 'retry', 'active')`);
  return row?.turn ?? 1;
}

/** Whether jobs of an organisation wait in a queue. */
export async function hasWaiting(db: Queryable, queue: Queue, orgId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from job
    where name = ${queue.name} and state in ('created', 'retry') and group_id = ${orgId} limit 1`);
  return rows.length > 0;
}

/** Gives a dead job of a queue with turns the turn of a new one: its old one would go before all that wait. */
export async function updateDeadTurn(
  db: Queryable,
  queues: readonly Queue[],
  jobId: string,
): Promise<void> {
  const [dead] = await db.query<{ queue: string; orgId: string }>(sql`
    select source_name as queue, data ->> 'org_id' as "orgId" from job
    where name = ${DEAD_LETTERS} and id = ${jobId}::uuid`);
  const queue = queues.find(({ name, inTurn }) => name === dead?.queue && inTurn === true);
  if (dead === undefined || queue === undefined) return;
  const turn = await selectTurn(db, queue, dead.orgId);
  await db.query(sql`
    update job set priority = ${-turn}::integer
    where name = ${DEAD_LETTERS} and id = ${jobId}::uuid`);
}

/**
 * Whether a running job with these data should move to another queue: none of its queue has run longer, a job of an
 * organisation that has none running there has waited for so long, and no other job moved within that time.
 * @param ms the shortest wait
 */
export async function isInTheWay(
  db: Queryable,
  { from, to, data }: Move,
  ms: number,
): Promise<boolean> {
  const since = sql`now() - ${ms}::float8 * interval '1 ms'`;
  const rows = await db.query(sql`
    select from job w
    where w.name = ${from.name} and w.state in ('created', 'retry')
      and greatest(w.created_on, w.start_after) <= ${since}
      and not exists (select from job a
        where a.name = w.name and a.state = 'active' and a.group_id = w.group_id)
      and not exists (select from job m where m.name = ${to.name} and m.created_on > ${since})
      and (select a.data @> ${JSON.stringify(data)}::jsonb from job a
        where a.name = w.name and a.state = 'active' order by a.started_on, a.id limit 1)
    limit 1`);
  return rows.length > 0;
}

/** A kind of background job: its data and its retries. */
export interface Queue<Schema extends TObject = TObject> {
  /** Letters, digits and hyphens; stored in the database. */
  readonly name: string;
  /** The data of a job, in addition to its ledger. */
  readonly data: Schema;
  /** With `key`, at most one job per key waits and at most one runs. */
  readonly once: 'always' | 'key';
  /** Retries after the first try. */
  readonly retries: number;
  /** Seconds before the first retry; each further delay about doubles, up to `longestDelay`. */
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** Seconds after which a running try is aborted. */
  readonly timeout: number;
  /** How many organisations a process serves at once, one job of each. Default: one. */
  readonly lanes?: number;
  /** Whether organisations are served in turn, rather than jobs in their order. */
  readonly inTurn?: boolean;
}

/** The queue of failed jobs, which wait until they are retried manually. */
export const DEAD_LETTERS = 'dead-letters';

/** The data of a job. */
export type JobData = { readonly [name: string]: JsonValue };
