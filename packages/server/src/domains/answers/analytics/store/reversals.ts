import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Filter } from '../rules/filter.js';
import type { ReversalSums } from '../rules/reversals.js';
import {
  analyticsConditions,
  exchangeRateOf,
  type MoneySettings,
  ratesTable,
  withRates,
} from './conditions.js';

/** Money that takes back what came in. */
const KINDS: readonly MoneyKind[] = ['refund', 'dispute', 'fee'];

/**
 * What was taken back in a range, in the base currency, and what no link takes of it.
 * @param answered events: a table with `event_id` and `is_none`
 */
export async function sumReversals(
  ledger: LedgerReader,
  { start, end }: Filter,
  conversion: MoneySettings,
  answered: Sql,
): Promise<ReversalSums> {
  const range = { start, end, agentId: undefined, actionType: undefined };
  const [row] = await ledger.query<ReversalSums>(sql`
    with ${ratesTable(conversion)}, caused as (
      select a.event_id, sum(a.amount) as amount from link_allocations a
      where a.ledger_id = ${ledger.ledgerId} and a.label in ('confirmed', 'matched')
        and a.amount < 0${analyticsConditions('a', range)}
      group by a.event_id
    ), reversals as (
      select e.event_id, e.counted_amount as amount, ${exchangeRateOf('e', conversion)} as rate
      from financial_events e ${withRates('e')}
      where e.ledger_id = ${ledger.ledgerId} and e.deleted_at is null and e.counted_amount < 0
        and e.kind = any(${KINDS}::text[])${analyticsConditions('e', range)} offset 0
    )
    select coalesce(sum(-e.amount * e.rate), 0)::text as total,
      coalesce(sum(greatest(0, coalesce(c.amount, 0) - e.amount) * e.rate)
        filter (where p.is_none is not true), 0)::text as without_cause
    from reversals e
    left join caused c on c.event_id = e.event_id
    left join ${answered} p on p.event_id = e.event_id
    where e.rate is not null`);
  return row ?? { total: '0', without_cause: '0' };
}
