import type { ExchangeRate } from '@decision-ledger/contract/settings';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { instant } from '../../../../platform/statement.js';
import type { Filter } from '../rules/filter.js';

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

/** Joins a row with the rates of its currency, if there are any. */
export function withRates(alias: 'a' | 'e'): Sql {
  return sql`left join rates r on r.currency = ${raw(alias)}.currency`;
}
