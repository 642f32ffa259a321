import { type Bucket, MAX_GROUPS } from '@decision-ledger/contract/analytics';

import sql, { empty, join, raw } from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { Amount } from '../rules/money.js';
import type { Moved, Uncertainty } from '../rules/pnl.js';
import type { Decided, MoneyRow } from '../rules/rows.js';
import { type Conversion, conditions, rateOf, ratesTable, withRates } from './conditions.js';
import { sumSlices } from './sum-slices.js';

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
  db: Queryable,
  scope: Scope,
  filter: Filter,
  after: AgentPosition | null,
  limit: number,
): Promise<AgentRow[]> {
  const { ledgerId } = scope;
  const columns = sql`agent_id, sum(decisions) as decisions, sum(confidence) as confidence,
    sum(overseen) as overseen, sum(exposure)::text as exposure`;
  const more = sql`
    select null, a.agent_id, null, 0, 0, 0, 0, 0, 0, 0, 0, 0 from link_allocations a
    where a.ledger_id = ${ledgerId}${conditions('a', filter)} group by a.agent_id`;
  const afterPosition =
    after === null
      ? empty
      : sql`having sum(exposure) < ${after.exposure}::numeric
          or (sum(exposure) = ${after.exposure}::numeric and agent_id > ${after.agentId})`;
  const rest = sql`group by agent_id ${afterPosition}
    order by sum(exposure) desc, agent_id limit ${limit}`;
  return sumSlices<AgentRow>(db, scope, filter, { columns, rest, more });
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

/** Sums of allocations by the times of their events, and separately those that no rate converts. */
export async function sumMoney(
  db: Queryable,
  { ledgerId }: Scope,
  filter: Filter,
  conversion: Conversion,
  { bucket, by, agentIds, limit }: MoneyRows,
): Promise<MoneyRow[]> {
  const start =
    bucket === null ? sql`null::timestamptz` : sql`date_trunc(${bucket}, a."timestamp")`;
  const key = by === null ? sql`null::text` : sql`a.${raw(by)}`;
  const only = agentIds === null ? empty : sql` and a.agent_id = any(${agentIds}::text[])`;
  return db.query<MoneyRow>(sql`
    with ${ratesTable(conversion)}, moved as (
      select ${start} as start, ${key} as key, a.link_type, a.currency, a.amount,
        ${rateOf('a', conversion)} as rate
      from link_allocations a ${withRates('a')}
      where a.ledger_id = ${ledgerId}${conditions('a', filter)}${only} offset 0
    ), sums as (
      select start, key, case when rate is null then currency end as unconverted,
        sum(amount) filter (where rate is null) as amount, sum(amount * rate) as net,
        sum(amount * rate) filter (where link_type = 'revenue') as revenue,
        sum(amount * rate) filter (where link_type = 'loss') as losses
      from moved group by 1, 2, 3
    )
    select (extract(epoch from start) * 1000)::bigint as start, key,
      coalesce(sum(net), 0)::text as net, coalesce(sum(revenue), 0)::text as revenue,
      coalesce(sum(losses), 0)::text as losses,
      coalesce(json_agg(json_build_array(unconverted, amount::text) order by unconverted)
        filter (where unconverted is not null), '[]') as unconverted
    from sums group by sums.start, sums.key limit ${limit}`);
}

/**
 * Sums of allocations by agent, by action type and by month of their events. Agents and action types are
 * limited to those with the largest sums; the months are complete. OFFSET hides the time column from
 * the planner, which would otherwise estimate one group for each distinct time and sort them.
 */
export async function sumMoved(
  db: Queryable,
  { ledgerId }: Scope,
  filter: Filter,
  conversion: Conversion,
): Promise<Moved[]> {
  return db.query<Moved>(sql`
    with ${ratesTable(conversion)}, moved as (
      select a.agent_id, a.action_type, date_trunc('month', a."timestamp") as month, a.link_type,
        a.label = 'confirmed' as is_confirmed, a.currency, a.amount,
        ${rateOf('a', conversion)} as rate
      from link_allocations a ${withRates('a')}
      where a.ledger_id = ${ledgerId}${conditions('a', filter)} offset 0
    ), sums as (
      select agent_id, action_type, month, link_type, is_confirmed,
        case when rate is null then currency end as unconverted,
        sum(amount * coalesce(rate, 1)) as amount
      from moved group by 1, 2, 3, 4, 5, 6
    ), grouped as (
      select agent_id, action_type, month, link_type, is_confirmed, unconverted,
        sum(amount) as amount
      from sums group by link_type, is_confirmed, unconverted,
        grouping sets ((agent_id), (action_type), (sums.month))
    ), weighed as (
      select *, coalesce(sum(abs(amount)) filter (where unconverted is null)
        over (partition by agent_id, action_type, month), 0) as weight
      from grouped
    ), placed as (
      select *, dense_rank() over (partition by agent_id is null, action_type is null
        order by weight desc, agent_id, action_type) as place
      from weighed
    )
    select agent_id, action_type, to_char(month, 'YYYY-MM') as month, link_type, is_confirmed,
      unconverted, amount::text as amount
    from placed where month is not null or place <= ${MAX_GROUPS}`);
}

/** The parts of the events of a range that no link allocates. */
export async function sumUnattributed(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: Filter,
  conversion: Conversion,
): Promise<Amount[]> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  return db.query<Amount>(sql`
    with ${ratesTable(conversion)}, taken as (
      select a.event_id, sum(a.amount) as amount from link_allocations a
      where a.ledger_id = ${ledgerId}${conditions('a', range)} group by a.event_id
    ), rest as (
      select e.currency, e.counted_amount - coalesce(t.amount, 0) as amount,
        ${rateOf('e', conversion)} as rate
      from financial_events e
      left join taken t on t.event_id = e.event_id
      ${withRates('e')}
      where e.ledger_id = ${ledgerId} and e.deleted_at is null${conditions('e', range)} offset 0
    )
    select case when rate is null then currency end as unconverted,
      sum(amount * coalesce(rate, 1))::text as amount
    from rest group by 1`);
}

/**
 * Uncertainty of the money of suggested links. The part of an event that settled links leave belongs to
 * one of its suggestions, with its share as the probability, or to none. amount ÷ share is the whole
 * amount of the event with the sign of that link.
 */
export async function sumUncertainty(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, agentId, actionType }: Filter,
  conversion: Conversion,
): Promise<Uncertainty> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  const isUncertain = join(
    [
      sql`a.label <> 'confirmed' and a.share > 0`,
      ...(agentId === undefined ? [] : [sql`a.agent_id = ${agentId}`]),
      ...(actionType === undefined ? [] : [sql`a.action_type = ${actionType}`]),
    ],
    ' and ',
  );
  const [row] = await db.query<Uncertainty>(sql`
    with ${ratesTable(conversion)}, allocations as (
      select a.event_id, a.currency, a."timestamp", a.share,
        a.label = 'confirmed' as is_confirmed, a.amount,
        case when ${isUncertain} then a.amount / a.share end as whole
      from link_allocations a
      where a.ledger_id = ${ledgerId}${conditions('a', range)} offset 0
    ), events as (
      select event_id, min(currency) as currency, min("timestamp") as "timestamp",
        1 - coalesce(sum(share) filter (where is_confirmed), 0) as open,
        sum(amount) filter (where whole is not null) as mean, sum(amount * whole) as square,
        min(whole) as lowest, max(whole) as highest
      from allocations group by event_id having count(whole) > 0
    ), converted as (
      select e.*, ${rateOf('e', conversion)} as rate
      from events e ${withRates('e')} offset 0
    )
    select
      coalesce(sum(rate * rate * greatest(0, open * square - mean * mean)), 0)::text as variance,
      coalesce(sum(rate * open * least(0, lowest)), 0)::text as lowest,
      coalesce(sum(rate * open * greatest(0, highest)), 0)::text as highest
    from converted`);
  return row ?? { variance: '0', lowest: '0', highest: '0' };
}
