import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { PnlFilter } from '../rules/filter.js';
import type { Rest } from '../rules/pnl.js';
import { type ExchangeRates, rateOf, ratesTable } from './rates.js';
import { timeRange } from './time-range.js';

/** What the events of a range hold beyond their links. */
export async function selectUnattributed(
  db: Queryable,
  { ledgerId }: Scope,
  filter: PnlFilter,
  base: string,
  rates: ExchangeRates,
): Promise<Rest[]> {
  return db.query<Rest>(sql`
    with ${ratesTable(base, rates)}, taken as (
      select l.event_id, least(1, sum(l.correlation_strength)) as share from links l
      where l.ledger_id = ${ledgerId} and l.deleted_at is null group by l.event_id
    ), rest as (
      select e.currency, ${rateOf(base)} as rate, e.amount * (1 - coalesce(t.share, 0)) as amount
      from financial_events e left join taken t on t.event_id = e.event_id
      where e.ledger_id = ${ledgerId} and e.deleted_at is null${range(filter)}
    )
    select case when rate is null then currency end as unconverted,
      sum(amount * coalesce(rate, 1))::text as amount
    from rest group by 1 order by 1`);
}

function range(filter: PnlFilter): Sql {
  const all = timeRange(sql`e."timestamp"`, filter);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}
