import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { Amount } from '../rules/money.js';
import { conditions } from './conditions.js';
import { type Conversion, rateOf, ratesTable, withRates } from './rates.js';

/** What the events of a range hold beyond their links. */
export async function sumUnattributed(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: Filter,
  conversion: Conversion,
): Promise<Amount[]> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  return db.query<Amount>(sql`
    with ${ratesTable(conversion)}, taken as (
      select a.event_id, sum(a.share) as share from link_allocations a
      where a.ledger_id = ${ledgerId}${conditions('a', range)} group by a.event_id
    ), rest as (
      select e.currency, e.amount * (1 - coalesce(t.share, 0)) as amount,
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
