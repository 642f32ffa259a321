import sql from 'sql-template-tag';
import type { ChainName } from '../chain/head.js';
import type { LedgerReader } from '../ledger.js';
import { followedTable, timely } from './behind.js';
import type { Follower } from './follower.js';
import { countDue, dueTable } from './progress.js';

/** A follower that has not taken what it could have taken for some time. */
export interface Overdue {
  readonly follower: string;
  /** Records that it has not taken, or subjects that are due. */
  readonly records: number;
  /** How long the oldest of them has waited. */
  readonly seconds: number;
}

/**
 * The followers of a ledger that were due that many seconds ago, and have not taken a record of that age, or done what is due since. One that
 * waits for its time is not among them; one that has stopped is.
 * @param now ms
 */
export async function selectOverdue(
  ledger: LedgerReader,
  followers: readonly Follower[],
  { now, seconds }: { readonly now: number; readonly seconds: number },
): Promise<Overdue[]> {
  return ledger.query<Overdue>(sql`
    select late.follower, sum(late.records)::float8 as records, max(late.seconds)::float8 as seconds
    from (
      select f.name as follower, h.seq - coalesce(p.seq, 0) as records,
        extract(epoch from now() - case f.log
          when 'decisions' then (select d.created_at from decisions d
            where d.ledger_id = ${ledger.ledgerId} and d.seq = coalesce(p.seq, 0) + 1)
          else (select a.created_at from activity a
            where a.ledger_id = ${ledger.ledgerId} and a.seq = coalesce(p.seq, 0) + 1)
        end) as seconds
      from ${followedTable(followers)}
      join ledgers l on l.ledger_id = ${ledger.ledgerId}
      join chain_heads h on h.ledger_id = ${ledger.ledgerId} and h.chain = f.log
      left join follower_positions p on p.ledger_id = ${ledger.ledgerId} and p.follower = f.name
        and p.log = f.log
      where h.seq > coalesce(p.seq, 0)
        and ${timely(followers, ledger.ledgerId, now - seconds * 1000)}
      union all
      select f.name, counted.waiting, counted.seconds
      from ${dueTable(followers)}, lateral (${countDue(sql`${ledger.ledgerId}`, now)}) as counted
      where counted.waiting > 0
    ) as late
    group by late.follower having max(late.seconds) >= ${seconds} order by late.follower`);
}

/** A record that could not be taken, or a subject that was due. */
export interface Failed {
  /** Null for a subject. */
  readonly seq: number | null;
  /** UUID; null for a record. */
  readonly subject: string | null;
  /** ms. */
  readonly failed_at: number;
}

/** What a follower could not take of one log, or do of what was due. */
export interface Failing {
  readonly follower: string;
  /** Null for due work. */
  readonly log: ChainName | null;
  /** How many records it passed over, or subjects it has set aside. */
  readonly passed: number;
  /** The last one of them. */
  readonly last: Failed | null;
  /** The record that it has stopped before. */
  readonly stop: Failed | null;
}

/** Each log of a ledger of which a follower could not take a record, and each follower that could not do what was due. */
export async function selectFailing(
  ledger: LedgerReader,
  followers: readonly Follower[],
): Promise<Failing[]> {
  return ledger.query<Failing>(sql`
    select f.name as follower, f.log, coalesce(r.passed, 0) as passed, r.last,
      case when p.failed_at is not null then json_build_object('seq', p.seq + 1, 'subject', null,
        'failed_at', floor(extract(epoch from p.failed_at) * 1000)) end as stop
    from ${followedTable(followers)}
    left join follower_positions p on p.ledger_id = ${ledger.ledgerId} and p.follower = f.name
      and p.log = f.log
    left join lateral (
      select (count(*) over ())::integer as passed, json_build_object('seq', e.seq, 'subject', null,
        'failed_at', floor(extract(epoch from e.failed_at) * 1000)) as last
      from follower_failures e
      where e.ledger_id = ${ledger.ledgerId} and e.follower = f.name and e.log = f.log
      order by e.failed_at desc, e.seq desc limit 1
    ) as r on true
    where p.failed_at is not null or r.passed is not null
    union all
    select f.name, null, r.passed, r.last, null
    from ${dueTable(followers)}, lateral (
      select (count(*) over ())::integer as passed, json_build_object('seq', null, 'subject', w.subject,
        'failed_at', floor(extract(epoch from w.failed_at) * 1000)) as last
      from due_work w
      where w.ledger_id = ${ledger.ledgerId} and w.follower = f.name and w.failed_at is not null
      order by w.failed_at desc, w.subject limit 1
    ) as r
    order by follower, log`);
}
