import { MAX_GROUPS } from '@decision-ledger/contract/analytics';
import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Filter } from '../rules/filter.js';
import type { GroupSum } from '../rules/groups.js';
import {
  analyticsConditions,
  exchangeRateOf,
  type MoneySettings,
  ratesTable,
  withRates,
} from './conditions.js';

/** A longer text is no name of a customer. */
const MAX_CHARS = 200;

/**
 * The customer of an allocation `a` of an event `e`: a scalar member of the event's metadata, else of
 * the decision's. Nothing is copied, so what is erased is gone, and a new key applies at once.
 */
export function customerOf(ledgerId: string, key: string): Sql {
  return sql`coalesce(${memberOf(sql`e.metadata::json`, key, sql`e.metadata`)}, (
    select ${memberOf(sql`d.metadata::json -> 2`, key, sql`d.metadata`)} from decisions d
    where d.ledger_id = ${ledgerId} and d.seq = a.decision_seq))`;
}

/** The customer of the part of an event `e` that no link takes. */
export function customerOfEvent(key: string): Sql {
  return memberOf(sql`e.metadata::json`, key, sql`e.metadata`);
}

/**
 * @param json an object
 * @param text that it is read from; with an escaped U+0000, PostgreSQL cannot read it
 */
function memberOf(json: Sql, key: string, text: Sql): Sql {
  return sql`case when position('\\u0000' in ${text}) = 0 then (
    select case when json_typeof(m.value) in ('string', 'number', 'boolean')
      and char_length(m.value #>> '{}') between 1 and ${MAX_CHARS}::integer
      then m.value #>> '{}' end
    from (select (${json}) -> ${key}::text as value offset 0) m) end`;
}

/** Sums of allocations by customer. Those beyond the largest are added together. */
export async function sumCustomers(
  ledger: LedgerReader,
  filter: Filter,
  conversion: MoneySettings,
): Promise<GroupSum[]> {
  return ledger.query<GroupSum>(sql`
    with ${ratesTable(conversion)}, moved as (
      select ${customerOf(ledger.ledgerId, conversion.customerKey)} as key, a.link_type, a.label,
        a.amount * ${exchangeRateOf('a', conversion)} as amount
      from link_allocations a
      join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = a.event_id
      ${withRates('a')}
      where a.ledger_id = ${ledger.ledgerId}${analyticsConditions('a', filter)} offset 0
    ), sums as (
      select key, link_type, label, sum(amount) as amount from moved
      where amount is not null group by 1, 2, 3
    ), weighed as (
      select *, sum(abs(amount)) over (partition by key) as weight from sums
    ), placed as (
      select *, ${MAX_GROUPS} < dense_rank() over (order by weight desc, key) as is_rest
      from weighed
    )
    select case when not is_rest then key end as key, is_rest, link_type, label,
      sum(amount)::text as amount
    from placed group by 1, 2, 3, 4`);
}
