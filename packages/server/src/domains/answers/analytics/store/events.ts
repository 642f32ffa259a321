import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { EventSum } from '../rules/books.js';
import type { Filter } from '../rules/filter.js';
import {
  analyticsConditions,
  exchangeRateOf,
  type MoneySettings,
  ratesTable,
  withRates,
} from './conditions.js';

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
        ${exchangeRateOf('e', conversion)} as rate
      from financial_events e ${withRates('e')}
      where e.ledger_id = ${ledger.ledgerId} and e.deleted_at is null${analyticsConditions('e', range)} offset 0
    )
    select to_char(month, 'YYYY-MM') as month, currency, rate is not null as is_converted,
      sum(amount)::text as own, sum(amount * rate)::text as amount
    from counted group by counted.month, 2, 3`);
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
