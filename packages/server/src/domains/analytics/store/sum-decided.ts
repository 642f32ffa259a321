import type { Bucket } from '@decision-ledger/contract/analytics';
import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { DecidedRow } from '../rules/rows.js';
import { sumSlices } from './sum-slices.js';

/** Sums over decisions, one row a bucket and, where asked for, an agent or action type. */
export async function sumDecided(
  db: Queryable,
  scope: Scope,
  filter: Filter,
  bucket: Bucket,
  by: 'agent_id' | 'action_type' | null,
  limit: number,
): Promise<DecidedRow[]> {
  const key = by === null ? sql`null::text` : raw(by);
  const columns = sql`
    (extract(epoch from date_trunc(${bucket}, at)) * 1000)::bigint as start, ${key} as key,
    sum(decisions) as decisions, sum(confidence) as confidence, sum(overseen) as overseen,
    sum(exposure)::text as exposure`;
  const rest = sql`group by 1, 2 limit ${limit}`;
  return sumSlices<DecidedRow>(db, scope, filter, { columns, rest });
}
