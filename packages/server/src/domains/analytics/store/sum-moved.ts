import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { Moved } from '../rules/pnl.js';
import { conditions } from './conditions.js';
import { type Conversion, rateOf, ratesTable } from './rates.js';

/**
 * What links move, by the times of their events. OFFSET keeps the planner from reading the months of
 * a column of times as that many groups, which it would sort.
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
        a.is_confirmed, a.currency, a.amount, ${rateOf('a', conversion)} as rate
      from link_allocations a left join rates r on r.currency = a.currency
      where a.ledger_id = ${ledgerId}${conditions('a', filter)} offset 0
    )
    select m.agent_id, m.action_type, to_char(m.month, 'YYYY-MM') as month, m.link_type,
      m.is_confirmed, case when m.rate is null then m.currency end as unconverted,
      sum(m.amount * coalesce(m.rate, 1))::text as amount
    from moved m group by m.agent_id, m.action_type, m.month, m.link_type, m.is_confirmed, 6`);
}
