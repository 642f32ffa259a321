import type { ExchangeRate } from '@decision-ledger/contract/settings';
import sql, { type Sql } from 'sql-template-tag';

/** The currency that amounts are converted into, and the rates. */
export interface CurrencyConversion {
  readonly base: string;
  readonly rates: readonly ExchangeRate[];
}

/** `rates r`: for each currency the days and the rates into the base currency, by day. */
export function ratesTable({ base, rates }: CurrencyConversion): Sql {
  const own = rates.filter(({ to }) => to === base);
  return sql`rates as (
    select g.currency, array_agg(g.day order by g.day) as days,
      jsonb_agg(g.rate order by g.day) as rates
    from unnest(${own.map(({ from }) => from)}::text[], ${own.map(({ date }) => date)}::date[],
      ${own.map((one) => one.rate)}::numeric[]) as g (currency, day, rate)
    group by g.currency)`;
}

/** The rate of the allocation `a`: the latest dated on or before its day (UTC); null if there is none. */
export function allocationRate({ base }: CurrencyConversion): Sql {
  return sql`(case when a.currency = ${base} then 1 else (r.rates -> (nullif(
    width_bucket((a."timestamp" at time zone 'utc')::date, r.days), 0) - 1))::numeric end)`;
}

/** The length of the day on which an event without a time of day lies. */
export function dayIfDated(): Sql {
  return sql`case when date_trunc('day', a."timestamp") = a."timestamp"
    then interval '1 day' else interval '0' end`;
}
