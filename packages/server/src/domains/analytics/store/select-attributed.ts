import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { PnlFilter } from '../rules/filter.js';
import type { Attributed } from '../rules/pnl.js';
import { type ExchangeRates, rateOf, ratesTable } from './rates.js';
import { timeRange } from './time-range.js';

/**
 * An event is shared out by strength, and never more than whole; the strengths of all its links
 * count, whatever is filtered. Revenue and savings count as the event has them; costs, refunds and
 * losses against the organisation, unless the event is a reversal.
 */
export async function selectAttributed(
  db: Queryable,
  { ledgerId }: Scope,
  filter: PnlFilter,
  base: string,
  rates: ExchangeRates,
): Promise<Attributed[]> {
  return db.query<Attributed>(sql`
    with ${ratesTable(base, rates)}, shares as (
      select l.event_id, l.decision_id, l.link_type, l.status <> 'ML_SUGGESTED' as is_confirmed,
        l.correlation_strength / greatest(1, sum(l.correlation_strength)
          over (partition by l.event_id)) as share
      from links l where l.ledger_id = ${ledgerId} and l.deleted_at is null
    ), moved as (
      select d.agent_id, d.action_type, s.link_type, s.is_confirmed, e.currency,
        to_char(e."timestamp" at time zone 'utc', 'YYYY-MM') as month, ${rateOf(base)} as rate,
        s.share * case
          when s.link_type in ('revenue', 'saving') then e.amount
          when e.event_type ~* '(reversal|reversed|recovery|reinstated)' then abs(e.amount)
          else -abs(e.amount) end as amount
      from shares s
      join financial_events e on e.ledger_id = ${ledgerId} and e.event_id = s.event_id
      join decisions d on d.ledger_id = ${ledgerId} and d.decision_id = s.decision_id
      where e.deleted_at is null${conditions(filter)}
    )
    select agent_id, action_type, month, link_type, is_confirmed,
      case when rate is null then currency end as unconverted,
      sum(amount * coalesce(rate, 1))::text as amount
    from moved group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`);
}

function conditions({ start, end, agentId, actionType }: PnlFilter): Sql {
  const all = timeRange(sql`e."timestamp"`, { start, end });
  if (agentId !== undefined) all.push(sql`d.agent_id = ${agentId}`);
  if (actionType !== undefined) all.push(sql`d.action_type = ${actionType}`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}
