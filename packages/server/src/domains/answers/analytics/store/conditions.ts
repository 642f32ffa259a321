import { MAX_GROUPS } from '@decision-ledger/contract/analytics';
import type { ExchangeRate } from '@decision-ledger/contract/settings';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import type { Filter } from '../rules/filter.js';
import type { GroupSum } from '../rules/groups.js';

/**
 * The conditions of a filter on a table, starting with ` and `; empty without conditions.
 * @param alias of the table in the statement
 * @param time its time column
 */
export function analyticsConditions(
  alias: 'a' | 'c' | 'd' | 'e',
  { start, end, agentId, actionType }: Filter,
  time: 'hour' | 'timestamp' = 'timestamp',
): Sql {
  const column = raw(`${alias}."${time}"`);
  const all: Sql[] = [];
  if (start !== undefined) all.push(sql`${column} >= ${instant(start)}`);
  if (end !== undefined) all.push(sql`${column} < ${instant(end)}`);
  if (agentId !== undefined) all.push(sql`${raw(alias)}.agent_id = ${agentId}`);
  if (actionType !== undefined) all.push(sql`${raw(alias)}.action_type = ${actionType}`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}

/** The settings of money: the currency that amounts are converted into, and the rates. */
export interface MoneySettings {
  readonly base: string;
  readonly rates: readonly ExchangeRate[];
  /** The member of the metadata that names a customer. */
  readonly customerKey: string;
}

/**
 * `rates r`: for each currency the days and the rates into the base currency, by day. The rates are
 * JSON, whose nth member is reached without reading the previous ones, unlike that of an array.
 */
export function ratesTable({ base, rates }: MoneySettings): Sql {
  const own = rates.filter(({ to }) => to === base);
  return sql`rates as (
    select g.currency, array_agg(g.day order by g.day) as days,
      jsonb_agg(g.rate order by g.day) as rates
    from unnest(${own.map(({ from }) => from)}::text[], ${own.map(({ date }) => date)}::date[],
      ${own.map(({ rate }) => rate)}::numeric[]) as g (currency, day, rate)
    group by g.currency)`;
}

/**
 * The rate of a row that is joined with the rates of its currency: the latest dated on or before its day
 * (UTC), 1 for the base currency, null if there is none.
 * @param alias of the table of the row in the statement
 */
export function exchangeRateOf(alias: 'a' | 'e', { base }: MoneySettings): Sql {
  const row = raw(alias);
  const before = sql`width_bucket((${row}."timestamp" at time zone 'utc')::date, r.days)`;
  return sql`case when ${row}.currency = ${base} then 1
    else (r.rates -> (nullif(${before}, 0) - 1))::numeric end`;
}

/** Whether an amount of an event is in a line of its own instead of the books: as in the index `financial_events_not_counted`. */
export const IS_UNCOUNTED = raw('e.uncounted_amount <> 0');

/** The line: of what counts, only the tax is in one. */
export const LINE_OF_EVENT = raw(`case e.standing when 'counted' then 'tax' else e.standing end`);

/** Joins a row with the rates of its currency, if there are any. */
export function withRates(alias: 'a' | 'e'): Sql {
  return sql`left join rates r on r.currency = ${raw(alias)}.currency`;
}

/** A longer text is no name of a customer. */
const MAX_CHARS = 200;

/**
 * The customer of an allocation `a` of an event `e`: a scalar member of the event's metadata, else of
 * the decision's. Nothing is copied, so what is erased is gone, and a new key applies at once.
 */
export function customerOf(ledgerId: string, key: string): Sql {
  return sql`coalesce(${memberOf(sql`e.metadata::json`, key, sql`e.metadata`)}, (
    select ${memberOf(sql`d.metadata::json -> 2`, key, sql`d.metadata`)} from decisions d
    where d.ledger_id = ${ledgerId} and d.seq = a.decision_seq))`;
}

/** The customer of the part of an event `e` that no link takes. */
export function customerOfEvent(key: string): Sql {
  return memberOf(sql`e.metadata::json`, key, sql`e.metadata`);
}

/**
 * @param json an object
 * @param text that it is read from; with an escaped U+0000, PostgreSQL cannot read it
 */
function memberOf(json: Sql, key: string, text: Sql): Sql {
  return sql`case when position('\\u0000' in ${text}) = 0 then (
    select case when json_typeof(m.value) in ('string', 'number', 'boolean')
      and char_length(m.value #>> '{}') between 1 and ${MAX_CHARS}::integer
      then m.value #>> '{}' end
    from (select (${json}) -> ${key}::text as value offset 0) m) end`;
}

/** Sums of allocations by customer. Those beyond the largest are added together. */
export async function sumCustomers(
  ledger: LedgerReader,
  filter: Filter,
  conversion: MoneySettings,
): Promise<GroupSum[]> {
  return ledger.query<GroupSum>(sql`
    with ${ratesTable(conversion)}, moved as (
      select ${customerOf(ledger.ledgerId, conversion.customerKey)} as key, a.link_type, a.label,
        a.amount * ${exchangeRateOf('a', conversion)} as amount
      from link_allocations a
      join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = a.event_id
      ${withRates('a')}
      where a.ledger_id = ${ledger.ledgerId}${analyticsConditions('a', filter)} offset 0
    ), sums as (
      select key, link_type, label, sum(amount) as amount from moved
      where amount is not null group by 1, 2, 3
    ), weighed as (
      select *, sum(abs(amount)) over (partition by key) as weight from sums
    ), placed as (
      select *, ${MAX_GROUPS} < dense_rank() over (order by weight desc, key) as is_rest
      from weighed
    )
    select case when not is_rest then key end as key, is_rest, link_type, label,
      sum(amount)::text as amount
    from placed group by 1, 2, 3, 4`);
}
