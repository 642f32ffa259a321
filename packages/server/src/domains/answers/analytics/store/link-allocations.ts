import { type Bucket, MAX_GROUPS } from '@decision-ledger/contract/analytics';
import sql, { empty, join, raw } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Slice } from '../../../../platform/page.js';
import type { EventSum, LinkedSum } from '../rules/books.js';
import type { Filter } from '../rules/filter.js';
import type { GroupSum } from '../rules/groups.js';
import type { Uncertainty } from '../rules/pnl.js';
import type { LineSum } from '../rules/reported.js';
import type { Decided, RowMoney } from '../rules/rows.js';
import {
  analyticsConditions,
  exchangeRateOf,
  IS_UNCOUNTED,
  LINE_OF_EVENT,
  type MoneySettings,
  ratesTable,
  withRates,
} from './conditions.js';
import { type EstimateTables, sumSlices } from './sum-slices.js';

/** Position of the last row of the previous page. */
export interface AgentPosition {
  /** Decimal text. */
  readonly exposure: string;
  readonly agentId: string;
}

export interface AgentRow extends Decided {
  readonly agent_id: string;
}

/** Agents by the exposure of their decisions, including those whose earlier decisions moved money. */
export async function sumAgents(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
  { after, limit }: Slice<AgentPosition>,
): Promise<AgentRow[]> {
  const { ledgerId } = ledger;
  const columns = sql`agent_id, sum(decisions) as decisions, sum(confidence)::float8 as confidence,
    sum(overseen) as overseen, sum(exposure)::text as exposure`;
  const more = sql`
    select null, a.agent_id, null, 0, 0, 0, 0, 0, 0, 0, 0 from link_allocations a
    where a.ledger_id = ${ledgerId}${analyticsConditions('a', filter)} group by a.agent_id`;
  const afterPosition =
    after === null
      ? empty
      : sql`having sum(exposure) < ${after.exposure}::numeric
          or (sum(exposure) = ${after.exposure}::numeric and agent_id > ${after.agentId})`;
  const rest = sql`group by agent_id ${afterPosition}
    order by sum(exposure) desc, agent_id limit ${limit}`;
  return sumSlices<AgentRow>(ledger, filter, { known, columns, rest, more });
}

/** How money is grouped into rows. */
export interface MoneyRows {
  /** Null for one row over all time. */
  readonly bucket: Bucket | null;
  /** Null for all agents and action types together. */
  readonly by: 'agent_id' | 'action_type' | null;
  /** Only these agents; null for all. */
  readonly agentIds: readonly string[] | null;
  readonly limit: number;
}

/** Sums of allocations by the times of their events. */
export async function sumMoney(
  ledger: LedgerReader,
  filter: Filter,
  conversion: MoneySettings,
  { bucket, by, agentIds, limit }: MoneyRows,
): Promise<RowMoney[]> {
  const start =
    bucket === null ? sql`null::timestamptz` : sql`date_trunc(${bucket}, a."timestamp")`;
  const key = by === null ? sql`null::text` : sql`a.${raw(by)}`;
  const only = agentIds === null ? empty : sql` and a.agent_id = any(${agentIds}::text[])`;
  return ledger.query<RowMoney>(sql`
    with ${ratesTable(conversion)}, moved as (
      select ${start} as start, ${key} as key, a.link_type, a.label, a.currency, a.amount,
        ${exchangeRateOf('a', conversion)} as rate
      from link_allocations a ${withRates('a')}
      where a.ledger_id = ${ledger.ledgerId}${analyticsConditions('a', filter)}${only} offset 0
    ), sums as (
      select start, key, link_type, label, currency, rate is not null as is_converted,
        sum(amount)::text as own, sum(amount * rate)::text as amount
      from moved group by 1, 2, 3, 4, 5, 6
    )
    select (extract(epoch from start) * 1000)::bigint as start, key,
      json_agg(json_build_object('link_type', link_type, 'label', label, 'currency', currency,
        'is_converted', is_converted, 'own', own, 'amount', amount)) as sums
    from sums group by sums.start, sums.key limit ${limit}`);
}

/** Sums of allocations: by agent and by action type what a rate converts, by month everything. */
export type MovedSum =
  | (GroupSum & { readonly kind: 'agent' })
  | (GroupSum & { readonly kind: 'action_type' })
  | (LinkedSum & { readonly kind: 'month' });

/**
 * Sums of allocations by agent, by action type, and by month and currency of their events. Agents and
 * action types beyond those with the largest sums are added together; the months are complete. OFFSET
 * hides the time column from the planner, which would otherwise estimate one group for each distinct
 * time and sort them.
 */
export async function sumMoved(
  ledger: LedgerReader,
  filter: Filter,
  conversion: MoneySettings,
): Promise<MovedSum[]> {
  return ledger.query<MovedSum>(sql`
    with ${ratesTable(conversion)}, moved as (
      select a.agent_id, a.action_type, date_trunc('month', a."timestamp") as month, a.link_type,
        a.label, a.currency, a.amount, ${exchangeRateOf('a', conversion)} as rate
      from link_allocations a ${withRates('a')}
      where a.ledger_id = ${ledger.ledgerId}${analyticsConditions('a', filter)} offset 0
    ), sums as (
      select agent_id, action_type, month, link_type, label, currency,
        sum(amount) filter (where rate is not null) as here,
        sum(amount) filter (where rate is null) as abroad, sum(amount * rate) as amount
      from moved group by 1, 2, 3, 4, 5, 6
    ), grouped as (
      select agent_id, action_type, month, currency, link_type, label, sum(here) as here,
        sum(abroad) as abroad, sum(amount) as amount
      from sums group by link_type, label,
        grouping sets ((agent_id), (action_type), (sums.month, currency))
    ), weighed as (
      select *, coalesce(sum(abs(amount)) over (partition by agent_id, action_type, month), 0)
        as weight
      from grouped where month is not null or amount is not null
    ), placed as (
      select *, month is null and ${MAX_GROUPS} < dense_rank() over (
        partition by agent_id is null, action_type is null
        order by weight desc, agent_id, action_type) as is_rest
      from weighed
    )
    select case when month is not null then 'month' when agent_id is not null then 'agent'
        else 'action_type' end as kind,
      case when not is_rest then coalesce(agent_id, action_type) end as key, is_rest,
      to_char(month, 'YYYY-MM') as month, currency, is_converted, link_type, label,
      sum(own)::text as own, (sum(amount) filter (where is_converted))::text as amount
    from placed, lateral (values (true, here), (false, abroad)) as parts (is_converted, own)
    where own is not null and (is_converted or month is not null)
    group by 1, 2, 3, 4, 5, 6, 7, 8`);
}

/** Sums of allocations by month and currency of their events. */
export async function sumLinked(
  ledger: LedgerReader,
  filter: Filter,
  conversion: MoneySettings,
): Promise<LinkedSum[]> {
  return ledger.query<LinkedSum>(sql`
    with ${ratesTable(conversion)}, moved as (
      select date_trunc('month', a."timestamp") as month, a.link_type, a.label, a.currency,
        a.amount, ${exchangeRateOf('a', conversion)} as rate
      from link_allocations a ${withRates('a')}
      where a.ledger_id = ${ledger.ledgerId}${analyticsConditions('a', filter)} offset 0
    )
    select to_char(month, 'YYYY-MM') as month, currency, rate is not null as is_converted,
      link_type, label, sum(amount)::text as own, sum(amount * rate)::text as amount
    from moved group by moved.month, 2, 3, 4, 5`);
}

/**
 * Uncertainty of the money of matched links. The part of an event that settled links leave belongs to
 * one of its suggestions, with its share as the probability, or to none. Guessed ones count nothing.
 * amount ÷ share is the whole amount of the event.
 */
export async function sumUncertainty(
  ledger: LedgerReader,
  { start, end, agentId, actionType }: Filter,
  conversion: MoneySettings,
): Promise<Uncertainty> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  const isUncertain = join(
    [
      sql`a.label = 'matched' and a.share > 0`,
      ...(agentId === undefined ? [] : [sql`a.agent_id = ${agentId}`]),
      ...(actionType === undefined ? [] : [sql`a.action_type = ${actionType}`]),
    ],
    ' and ',
  );
  const [row] = await ledger.query<Uncertainty>(sql`
    with ${ratesTable(conversion)}, allocations as (
      select a.event_id, a.currency, a."timestamp", a.share, a.label = 'confirmed' as is_settled, a.amount,
        case when ${isUncertain} then a.amount / a.share end as whole
      from link_allocations a
      where a.ledger_id = ${ledger.ledgerId}${analyticsConditions('a', range)} offset 0
    ), events as (
      select event_id, min(currency) as currency, min("timestamp") as "timestamp",
        1 - coalesce(sum(share) filter (where is_settled), 0) as open,
        sum(amount) filter (where whole is not null) as mean, sum(amount * whole) as square,
        min(whole) as lowest, max(whole) as highest
      from allocations group by event_id having count(whole) > 0
    ), converted as (
      select e.*, ${exchangeRateOf('e', conversion)} as rate
      from events e ${withRates('e')} offset 0
    )
    select
      coalesce(sum(rate * rate * greatest(0, open * square - mean * mean)), 0)::text as variance,
      coalesce(sum(rate * open * least(0, lowest)), 0)::text as lowest,
      coalesce(sum(rate * open * greatest(0, highest)), 0)::text as highest
    from converted`);
  return row ?? { variance: '0', lowest: '0', highest: '0' };
}

/** Sums of the counted amounts of the live events of a range, by month and currency. */
export async function sumEvents(
  ledger: LedgerReader,
  { start, end }: Filter,
  conversion: MoneySettings,
): Promise<EventSum[]> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  return ledger.query<EventSum>(sql`
    with ${ratesTable(conversion)}, counted as (
      select date_trunc('month', e."timestamp") as month, e.currency, e.counted_amount as amount,
        e.may_include_tax, ${exchangeRateOf('e', conversion)} as rate
      from financial_events e ${withRates('e')}
      where e.ledger_id = ${ledger.ledgerId} and e.deleted_at is null${analyticsConditions('e', range)} offset 0
    )
    select to_char(month, 'YYYY-MM') as month, currency, rate is not null as is_converted,
      sum(amount)::text as own, sum(amount * rate)::text as amount,
      coalesce(sum(amount) filter (where may_include_tax), 0)::text as may_include_tax
    from counted group by counted.month, 2, 3`);
}

/** Sums of what does not count of the events of a range, by currency and line. */
export async function sumUncounted(
  ledger: LedgerReader,
  { start, end }: Filter,
): Promise<LineSum[]> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  return ledger.query<LineSum>(sql`
    select e.currency, ${LINE_OF_EVENT} as line, sum(e.uncounted_amount)::text as own
    from financial_events e
    where e.ledger_id = ${ledger.ledgerId} and ${IS_UNCOUNTED}${analyticsConditions('e', range)}
    group by e.currency, 2`);
}

/**
 * Months (`2026-04`, in order) that are over and not closed: those with events, and every one since the
 * first event was recorded, so that a late event restates a month that was published as empty. The
 * index is searched once for each month with events.
 * @param open the first month that stays open
 */
export async function selectMonthsToClose(ledger: LedgerReader, open: string): Promise<string[]> {
  const rows = await ledger.query<{ readonly month: string }>(sql`
    with recursive used as (
      select date_trunc('month', min(e."timestamp")) as month from financial_events e
      where e.ledger_id = ${ledger.ledgerId}
      union all
      select (
        select date_trunc('month', min(e."timestamp")) from financial_events e
        where e.ledger_id = ${ledger.ledgerId} and e."timestamp" >= u.month + interval '1 month'
      ) from used u where u.month is not null
    ), since as (
      select date_trunc('month', e.created_at) as month from financial_events e
      where e.ledger_id = ${ledger.ledgerId} order by e.event_id limit 1
    ), months as (
      select month from used where month is not null
      union
      select generate_series(s.month, ${`${open}-01`}::timestamptz, interval '1 month') from since s
    )
    select to_char(m.month, 'YYYY-MM') as month from months m
    where to_char(m.month, 'YYYY-MM') < ${open}
      and not exists (select from closed_months c
        where c.ledger_id = ${ledger.ledgerId} and c.month = to_char(m.month, 'YYYY-MM'))
    order by 1`);
  return rows.map(({ month }) => month);
}
