import sql, { join } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { Uncertainty } from '../rules/interval.js';
import { conditions } from './conditions.js';
import { type Conversion, rateOf, ratesTable, withRates } from './rates.js';

/**
 * How far the money of suggested links may come out otherwise. What links that are settled leave of
 * an event belongs to one of its suggestions, each with its share, or to none; amount ÷ share is the
 * event's whole amount with the sign of that link.
 */
export async function sumUncertainty(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, agentId, actionType }: Filter,
  conversion: Conversion,
): Promise<Uncertainty> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  const asked = join(
    [
      sql`not a.is_confirmed and a.share > 0`,
      ...(agentId === undefined ? [] : [sql`a.agent_id = ${agentId}`]),
      ...(actionType === undefined ? [] : [sql`a.action_type = ${actionType}`]),
    ],
    ' and ',
  );
  const [row] = await db.query<Uncertainty>(sql`
    with ${ratesTable(conversion)}, allocations as (
      select a.event_id, a.currency, a."timestamp", a.share, a.is_confirmed, a.amount,
        case when ${asked} then a.amount / a.share end as whole
      from link_allocations a
      where a.ledger_id = ${ledgerId}${conditions('a', range)} offset 0
    ), events as (
      select event_id, min(currency) as currency, min("timestamp") as "timestamp",
        1 - coalesce(sum(share) filter (where is_confirmed), 0) as open,
        sum(amount) filter (where whole is not null) as mean, sum(amount * whole) as square,
        min(whole) as least, max(whole) as most
      from allocations group by event_id having count(whole) > 0
    ), converted as (
      select e.*, ${rateOf('e', conversion)} as rate
      from events e ${withRates('e')} offset 0
    )
    select
      coalesce(sum(rate * rate * greatest(0, open * square - mean * mean)), 0)::text as variance,
      coalesce(sum(rate * open * least(0, least)), 0)::text as least,
      coalesce(sum(rate * open * greatest(0, most)), 0)::text as most
    from converted`);
  return row ?? { variance: '0', least: '0', most: '0' };
}
