import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import type { EventSum } from '../rules/books.js';
import type { Filter } from '../rules/filter.js';
import { type Conversion, conditions, rateOf, ratesTable, withRates } from './conditions.js';

/** Sums of the counted amounts of the live events of a range, by month and currency. */
export async function sumEvents(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: Filter,
  conversion: Conversion,
): Promise<EventSum[]> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  return db.query<EventSum>(sql`
    with ${ratesTable(conversion)}, counted as (
      select date_trunc('month', e."timestamp") as month, e.currency, e.counted_amount as amount,
        ${rateOf('e', conversion)} as rate
      from financial_events e ${withRates('e')}
      where e.ledger_id = ${ledgerId} and e.deleted_at is null${conditions('e', range)} offset 0
    )
    select to_char(month, 'YYYY-MM') as month, currency, rate is not null as is_converted,
      sum(amount)::text as own, sum(amount * rate)::text as amount
    from counted group by counted.month, 2, 3`);
}
