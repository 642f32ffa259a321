import type { Bucket } from '@decision-ledger/contract/analytics';
import sql, { empty, raw } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { MoneyRow } from '../rules/rows.js';
import { conditions } from './conditions.js';
import { type Conversion, rateOf, ratesTable, withRates } from './rates.js';

/** Which rows money is summed up into. */
export interface MoneyRows {
  /** Null for all of time in one. */
  readonly bucket: Bucket | null;
  /** Null for everybody in one. */
  readonly by: 'agent_id' | 'action_type' | null;
  /** Only these agents; null for all. */
  readonly agentIds: readonly string[] | null;
  readonly limit: number;
}

/** What links move, by the times of their events, with what no rate converts beside it. */
export async function sumMoney(
  db: Queryable,
  { ledgerId }: Scope,
  filter: Filter,
  conversion: Conversion,
  { bucket, by, agentIds, limit }: MoneyRows,
): Promise<MoneyRow[]> {
  const start =
    bucket === null ? sql`null::timestamptz` : sql`date_trunc(${bucket}, a."timestamp")`;
  const key = by === null ? sql`null::text` : sql`a.${raw(by)}`;
  const only = agentIds === null ? empty : sql` and a.agent_id = any(${agentIds}::text[])`;
  return db.query<MoneyRow>(sql`
    with ${ratesTable(conversion)}, moved as (
      select ${start} as start, ${key} as key, a.link_type, a.currency, a.amount,
        ${rateOf('a', conversion)} as rate
      from link_allocations a ${withRates('a')}
      where a.ledger_id = ${ledgerId}${conditions('a', filter)}${only} offset 0
    ), sums as (
      select start, key, case when rate is null then currency end as unconverted,
        sum(amount) filter (where rate is null) as amount, sum(amount * rate) as net,
        sum(amount * rate) filter (where link_type = 'revenue') as revenue,
        sum(amount * rate) filter (where link_type = 'loss') as losses
      from moved group by 1, 2, 3
    )
    select (extract(epoch from start) * 1000)::bigint as start, key,
      coalesce(sum(net), 0)::text as net, coalesce(sum(revenue), 0)::text as revenue,
      coalesce(sum(losses), 0)::text as losses,
      coalesce(json_agg(json_build_array(unconverted, amount::text) order by unconverted)
        filter (where unconverted is not null), '[]') as unconverted
    from sums group by sums.start, sums.key limit ${limit}`);
}
