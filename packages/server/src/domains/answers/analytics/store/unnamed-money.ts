import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Filter } from '../rules/filter.js';
import type { UnnamedSum } from '../rules/likely-net.js';
import {
  analyticsConditions,
  exchangeRateOf,
  type MoneySettings,
  ratesTable,
  withRates,
} from './conditions.js';

/** Upper ends of the classes of probabilities; the last class has none. */
const ENDS = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98];

/** The chance of an event that is not scored yet. */
const UNKNOWN = '0.5';

/**
 * What confirmed links leave of the live events of a range, in the base currency, by event type and class of the probability
 * that a recorded decision caused it. What somebody found to be without a cause is left out.
 * @param chances of scored events: a table with `event_id`, `chance` and `is_none`
 */
export async function sumUnnamed(
  ledger: LedgerReader,
  { start, end }: Filter,
  conversion: MoneySettings,
  chances: Sql,
): Promise<UnnamedSum[]> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  return ledger.query<UnnamedSum>(sql`
    with ${ratesTable(conversion)}, confirmed as (
      select a.event_id, sum(a.amount) as amount from link_allocations a
      where a.ledger_id = ${ledger.ledgerId} and a.label = 'confirmed'${analyticsConditions('a', range)}
      group by a.event_id
    ), counted as (
      select e.event_id, e.event_type, e.counted_amount as amount, ${exchangeRateOf('e', conversion)} as rate
      from financial_events e ${withRates('e')}
      where e.ledger_id = ${ledger.ledgerId} and e.deleted_at is null
        and e.counted_amount <> 0${analyticsConditions('e', range)} offset 0
    ), unnamed as (
      select e.event_type, (e.amount - coalesce(c.amount, 0)) * e.rate as amount,
        coalesce(p.chance, ${UNKNOWN})::numeric as chance
      from counted e
      left join confirmed c on c.event_id = e.event_id
      left join ${chances} p on p.event_id = e.event_id
      where e.rate is not null and p.is_none is not true
    )
    select event_type, sum(amount * chance)::text as likely, avg(chance)::float8 as chance,
      coalesce(sum(amount) filter (where amount > 0), 0)::float8 as gains,
      coalesce(sum(amount) filter (where amount < 0), 0)::float8 as losses,
      sum(amount * amount)::float8 as squares
    from unnamed where amount <> 0
    group by event_type, width_bucket(chance, ${ENDS.map(String)}::numeric[])`);
}
