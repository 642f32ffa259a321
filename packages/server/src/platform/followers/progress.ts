import sql, { type Sql } from 'sql-template-tag';
import type { ChainName } from '../chain/head.js';
import { uuidToId } from '../ids.js';
import type { LedgerReader } from '../ledger.js';
import { type Installation, instant, LEDGERS } from '../statement.js';
import type { FollowerLag } from '../stored-metrics.js';
import { followedTable } from './behind.js';
import { type Follower, followsLogs } from './follower.js';

export interface FollowerProgress {
  readonly follower: string;
  readonly log: ChainName;
  readonly position: number;
  readonly head: number;
  /** Age of the first record that was not taken. */
  readonly seconds: number;
}

/** How far each follower is in each of its logs. */
export async function selectProgress(
  ledger: LedgerReader,
  followers: readonly Follower[],
): Promise<FollowerProgress[]> {
  return ledger.query<FollowerProgress>(sql`
    select f.name as follower, f.log, coalesce(p.seq, 0) as position, h.seq as head,
      coalesce(greatest(0, extract(epoch from now() - case f.log
        when 'decisions' then (select d.created_at from decisions d
          where d.ledger_id = ${ledger.ledgerId} and d.seq = coalesce(p.seq, 0) + 1)
        else (select a.created_at from activity a
          where a.ledger_id = ${ledger.ledgerId} and a.seq = coalesce(p.seq, 0) + 1)
      end)), 0)::float8 as seconds
    from ${followedTable(followers)}
    join chain_heads h on h.ledger_id = ${ledger.ledgerId} and h.chain = f.log
    left join follower_positions p on p.ledger_id = ${ledger.ledgerId} and p.follower = f.name
      and p.log = f.log`);
}

export interface DueProgress {
  readonly follower: string;
  /** Subjects that are due, counted up to MAX_DUE. */
  readonly waiting: number;
  /** How long the first of them has been due. */
  readonly seconds: number;
}

const MAX_DUE = 100_000;

/** What each follower has to do that is due. */
export async function selectDueProgress(
  ledger: LedgerReader,
  followers: readonly Follower[],
): Promise<DueProgress[]> {
  return ledger.query<DueProgress>(sql`
    select f.name as follower, waiting, seconds from ${dueTable(followers)},
      lateral (${countDue(sql`${ledger.ledgerId}`, ledger.clock.now())}) as counted`);
}

/** Each follower with due work, as the table `f`. */
export function dueTable(followers: readonly Follower[]): Sql {
  const names = followers.filter((one) => !followsLogs(one)).map(({ name }) => name);
  return sql`unnest(${names}::text[]) as f (name)`;
}

/**
 * Counts what is due of the follower `f.name`. Each time is compared with the clock that it is of.
 * @param now ms
 */
export function countDue(ledgerId: Sql, now: number): Sql {
  return sql`
    select count(*) as waiting, coalesce(greatest(0, max(seconds)), 0)::float8 as seconds
    from (select extract(epoch from case when w.due_at = '-infinity' then now() - w.since
        else ${instant(now)} - w.due_at end) as seconds
      from due_work w
      where w.ledger_id = ${ledgerId} and w.follower = f.name and w.due_at <= ${instant(now)}
      limit ${MAX_DUE}) as due`;
}

export interface FailureRow {
  readonly follower: string;
  /** Null for a subject. */
  readonly log: ChainName | null;
  readonly seq: number | null;
  /** UUID; null for a record. */
  readonly subject: string | null;
  readonly reason: string;
  /** ms. */
  readonly failed_at: number;
  /** ms; null if the record was passed over. */
  readonly retry_at: number | null;
}

/** The id of a subject that failed. */
export function subjectOf(
  follower: Follower,
  { subject }: Pick<FailureRow, 'subject'>,
): string | null {
  return subject === null || followsLogs(follower) ? null : uuidToId(follower.subjects, subject);
}

/**
 * The last records and subjects that a follower could not take, newest first, and their number.
 */
export async function selectFailures(
  ledger: LedgerReader,
  { followers, limit }: { followers: readonly string[]; limit: number },
): Promise<(FailureRow & { readonly total: number })[]> {
  return ledger.query<FailureRow & { readonly total: number }>(sql`
    select * from (
      select follower, log, seq, subject, reason, (extract(epoch from failed_at) * 1000)::bigint as failed_at,
        (extract(epoch from retry_at) * 1000)::bigint as retry_at,
        (count(*) over (partition by follower))::integer as total,
        row_number() over (partition by follower order by failed_at desc, log, seq desc, subject) as place
      from (
        select r.follower, r.log, r.seq, null::uuid as subject, r.reason, r.failed_at, null::timestamptz as retry_at
        from follower_failures r where r.ledger_id = ${ledger.ledgerId}
        union all
        select p.follower, p.log, p.seq + 1, null, p.reason, p.failed_at, p.retry_at
        from follower_positions p where p.ledger_id = ${ledger.ledgerId} and p.failed_at is not null
        union all
        select w.follower, null, null, w.subject, w.reason, w.failed_at, w.due_at
        from due_work w where w.ledger_id = ${ledger.ledgerId} and w.failed_at is not null
      ) as failed
      where follower = any(${followers}::text[])
    ) as numbered
    where place <= ${limit} order by failed_at desc, log, seq desc, subject`);
}

/**
 * How far the followers are behind, over all ledgers.
 * @param now ms
 */
export async function sumLags(
  installation: Installation,
  followers: readonly Follower[],
  now: number,
): Promise<FollowerLag[]> {
  const names = followers.map(({ name }) => name);
  return installation.queryAcross<FollowerLag>(sql`
    select follower, sum(records)::float8 as records, max(seconds)::float8 as seconds,
      sum(failures)::float8 as failures
    from (
    select f.name as follower, coalesce(sum(h.seq - coalesce(p.seq, 0)), 0)::float8 as records,
      coalesce(max(greatest(0, extract(epoch from now() - case
        when h.seq <= coalesce(p.seq, 0) then now()
        when f.log = 'decisions' then (select d.created_at from decisions d
          where d.ledger_id = h.ledger_id and d.seq = coalesce(p.seq, 0) + 1)
        else (select a.created_at from activity a
          where a.ledger_id = h.ledger_id and a.seq = coalesce(p.seq, 0) + 1)
      end))), 0)::float8 as seconds,
      (count(*) filter (where p.failed_at is not null))::float8 as failures
    from ${followedTable(followers)}
    join chain_heads h on h.chain = f.log
    left join follower_positions p on p.ledger_id = h.ledger_id and p.follower = f.name
      and p.log = f.log
    group by f.name
    union all
    select follower, sum(counted[1]), max(counted[2]), 0
    from (
      -- As a column: in FROM, a cluster does not let the nodes stop counting. Grouped, it is counted once.
      select f.name as follower, (select array[waiting, seconds]
        from (${countDue(sql`l.ledger_id`, now)}) as counted) as counted
      from ${dueTable(followers)}, ${LEDGERS} as l group by f.name, l.ledger_id
    ) as due group by follower
    union all
    select r.follower, 0, 0, count(*)::float8 from follower_failures r
    where r.follower = any(${names}::text[]) group by r.follower
    union all
    select w.follower, 0, 0, count(*)::float8 from due_work w
    where w.follower = any(${names}::text[]) and w.failed_at is not null group by w.follower
    ) as parts group by follower`);
}
