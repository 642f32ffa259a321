import sql, { type Sql } from 'sql-template-tag';
import { textArray, uuidArray } from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import type { Day, Period, Total } from '../rules/periods.js';

/** A report (UUID) that is added up with others. */
interface AddedRow extends Pick<Total, 'source' | 'currency' | 'kind' | 'sign' | 'amount'> {
  readonly event_id: string;
  readonly day: Day;
  /** ms. */
  readonly timestamp: number;
  /** 64 bits as decimal text: the same for all reports that are added up together. */
  readonly key: string;
}

/** A day of a source, in one currency. */
interface SourceDay {
  readonly source: string;
  readonly currency: string;
  readonly day: Day;
}

/** A total before a change, with what the change adds to it: a decimal text. */
export interface ChangedTotal extends Total {
  readonly added_count: number;
  readonly added_amount: string;
}

const EPOCH = sql`date '1970-01-01'`;
const monthOf = (day: Sql): Sql => sql`date_trunc('month', (${EPOCH} + ${day})::timestamp)`;

/** The periods that have a day. */
const periodsOf = (day: Sql): Sql => sql`(values
  ('day', ${day}, ${day}),
  ('week', 7 * floor((${day} + 3) / 7.0)::integer - 3, 7 * floor((${day} + 3) / 7.0)::integer + 3),
  ('month', ${monthOf(day)}::date - ${EPOCH}, (${monthOf(day)} + interval '1 month')::date - ${EPOCH} - 1)
)`;

/**
 * Adds reports to the totals of their days, or moves them, and takes others off.
 * @param eventIds UUIDs of all that changed: those that are not among `added` are not added up any more
 * @param touched further days whose periods are told
 * @returns the totals of all periods of the changed days and of `touched`
 */
export async function changeTotals(
  tx: LedgerWriter,
  eventIds: readonly string[],
  added: readonly AddedRow[],
  touched: readonly SourceDay[],
): Promise<ChangedTotal[]> {
  // What is told is read first: a cluster does one part after the other, and each reads what those before it have written.
  return tx.query<ChangedTotal>(sql`
    with made as materialized (
      select * from unnest(
        ${uuidArray(added, ({ event_id }) => event_id)}::uuid[],
        ${textArray(added, ({ key }) => key)}::text[]::bigint[],
        ${textArray(added, ({ day }) => String(day))}::text[]::integer[],
        ${textArray(added, ({ timestamp }) => String(timestamp))}::text[]::bigint[],
        ${textArray(added, ({ source }) => source)}::text[],
        ${textArray(added, ({ currency }) => currency)}::text[],
        ${textArray(added, ({ kind }) => kind)}::text[],
        ${textArray(added, ({ sign }) => String(sign))}::text[]::smallint[],
        ${textArray(added, ({ amount }) => amount)}::text[]::numeric[]
      ) as n (event_id, key, day, at, source, currency, kind, sign, amount)
    ), former as materialized (
      select own.event_id, own.day, own.kind, own.sign, e.source, e.currency, abs(e.amount) as amount
      from unnest(${eventIds}::uuid[]) as n (event_id),
      lateral (
        select * from added_reports
        where ledger_id = ${tx.ledgerId} and event_id = n.event_id offset 0) as own,
      lateral (
        select source, currency, amount from financial_events
        where ledger_id = ${tx.ledgerId} and event_id = own.event_id offset 0) as e
    ), changes as materialized (
      select currency, day, source, kind, sign, sum(count)::integer as count, sum(amount) as amount
      from (
        select currency, day, source, kind, sign, 1 as count, amount from made
        union all
        select currency, day, source, kind, sign, -1, -amount from former) as each
      group by currency, day, source, kind, sign having sum(count) <> 0 or sum(amount) <> 0
    ), periods as materialized (
      select distinct d.source, d.currency, span.unit, span.first, span.last
      from (
        select source, currency, day from changes
        union
        select * from unnest(
          ${textArray(touched, ({ source }) => source)}::text[],
          ${textArray(touched, ({ currency }) => currency)}::text[],
          ${textArray(touched, ({ day }) => String(day))}::text[]::integer[])) as d,
      lateral ${periodsOf(sql`d.day`)} as span (unit, first, last)
    ), told as materialized (
      select p.source, p.currency, p.unit, p.first, p.last, t.*
      from periods p, lateral (
        select kind, sign, sum(count)::integer as count, sum(amount)::text as amount,
          sum(added_count)::integer as added_count, sum(added_amount)::text as added_amount
        from (
          select kind, sign, count, amount, 0 as added_count, 0::numeric as added_amount
          from period_totals where ledger_id = ${tx.ledgerId} and currency = p.currency
            and day between p.first and p.last and source = p.source
          union all
          select kind, sign, 0, 0, count, amount from changes
          where currency = p.currency and day between p.first and p.last and source = p.source) as each
        group by kind, sign offset 0) as t
    ), removed as (
      delete from added_reports where ledger_id = ${tx.ledgerId}
        and event_id = any(array(select event_id from former except select event_id from made))
    ), kept as (
      insert into added_reports as own (ledger_id, event_id, key, day, "timestamp", kind, sign)
      select mine.ledger_id, event_id, key, day, to_timestamp(at / 1000.0), kind, sign
      from ${ownRow(tx.ledgerId)} as mine, made
      on conflict (ledger_id, event_id) do update
        set key = excluded.key, day = excluded.day, kind = excluded.kind, sign = excluded.sign
        where own.key <> excluded.key or own.day <> excluded.day
    ), summed as (
      insert into period_totals as own (ledger_id, currency, day, source, kind, sign, count, amount)
      select mine.ledger_id, currency, day, source, kind, sign, count, amount
      from ${ownRow(tx.ledgerId)} as mine, changes
      on conflict (ledger_id, currency, source, day, kind, sign) do update
        set count = own.count + excluded.count, amount = own.amount + excluded.amount
    )
    select * from told`);
}

/** Of a ledger with more totals in four months, in one currency, none is found: it has hundreds of sources. */
const MOST_READ = 20_000;

/** Days in which totals are looked for, from the first to the last. */
export interface TotalSearch {
  readonly currency: string;
  readonly from: Day;
  readonly until: Day;
}

/**
 * The totals of periods, within the searched days, that are one of some amounts (decimal texts), or less their fees, with all others of their source and period.
 * @param searches different ones
 */
export async function selectTotals(
  ledger: LedgerReader,
  searches: readonly TotalSearch[],
  amounts: readonly string[],
): Promise<Total[]> {
  if (searches.length === 0) return [];
  const kept = (kind: string) =>
    sql`sum(amount) filter (where kind = ${kind} and sign = -1) over same`;
  const wanted = sql`any(${amounts}::text[]::numeric[])`;
  return ledger.query<Total>(sql`
    select distinct s.currency, t.source, t.unit, t.first, t.last, t.kind, t.sign, t.count, t.amount
    from unnest(
      ${textArray(searches, ({ currency }) => currency)}::text[],
      ${textArray(searches, ({ from }) => String(from))}::text[]::integer[],
      ${textArray(searches, ({ until }) => String(until))}::text[]::integer[]
    ) as s (currency, since, until),
    lateral (
      select source, unit, first, last, kind, sign, count::integer as count, amount::text as amount
      from (
        select *, bool_or(amount = ${wanted} or amount - fees = ${wanted} or amount - costs = ${wanted})
          over same as is_found
        from (
          select *, ${kept('fee')} as fees, ${kept('cost')} as costs
          from (
            select own.source, span.unit, span.first, span.last, own.kind, own.sign,
              sum(own.count) as count, sum(own.amount) as amount
            from (
              select *, count(*) over () as read from (
                select source, day, kind, sign, count, amount from period_totals
                where ledger_id = ${ledger.ledgerId} and currency = s.currency
                  and day between s.since and s.until limit ${MOST_READ + 1}) as days) as own,
            lateral ${periodsOf(sql`own.day`)} as span (unit, first, last)
            where own.read <= ${MOST_READ} and span.first >= s.since and span.last <= s.until
            group by own.source, span.unit, span.first, span.last, own.kind, own.sign) as summed
          window same as (partition by source, unit, first)) as totals
        window same as (partition by source, unit, first)) as found
      where is_found offset 0) as t`);
}

/** UUIDs of the first reports of some that are added up together, by time. */
export async function selectAdded(
  ledger: LedgerReader,
  key: string,
  { first, last }: Pick<Period, 'first' | 'last'>,
  limit: number,
): Promise<string[]> {
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from added_reports
    where ledger_id = ${ledger.ledgerId} and key = ${key}::bigint and day between ${first} and ${last}
    order by day, "timestamp", event_id limit ${limit}`);
  return rows.map(({ event_id }) => event_id);
}
