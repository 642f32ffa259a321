import type { Settings } from '@decision-ledger/contract/settings';
import sql, { type Sql } from 'sql-template-tag';

export type ExchangeRates = Settings['exchange_rates'];

/** The rates into one currency, as a table `rates (currency, day, rate)`. */
export function ratesTable(base: string, all: ExchangeRates): Sql {
  const rates = all.filter(({ to }) => to === base);
  return sql`rates as (
    select * from unnest(${rates.map(({ from }) => from)}::text[],
      ${rates.map(({ date }) => date)}::date[],
      ${rates.map(({ rate }) => rate)}::numeric[]) as r (currency, day, rate))`;
}

/**
 * What a row `e` of an event is multiplied by: the latest rate dated on or before its day, 1 in the
 * base currency, null where there is none.
 */
export function rateOf(base: string): Sql {
  return sql`case when e.currency = ${base} then 1 else (
    select rate from rates where rates.currency = e.currency
      and rates.day <= (e."timestamp" at time zone 'utc')::date
    order by rates.day desc limit 1) end`;
}
