import { MAX_GROUPS } from '@decision-ledger/contract/analytics';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { Moved } from '../rules/pnl.js';
import { conditions } from './conditions.js';
import { type Conversion, rateOf, ratesTable, withRates } from './rates.js';

/**
 * What links move, by the times of their events: by agent, by action type and by month. Of agents and
 * action types those that moved most are told; the months have all of it. OFFSET keeps the planner
 * from reading the months of a column of times as that many groups, which it would sort.
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
