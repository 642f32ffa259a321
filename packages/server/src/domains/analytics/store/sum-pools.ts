import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { PoolRow } from '../rules/exposure.js';
import type { Filter } from '../rules/filter.js';
import { sumSlices } from './sum-slices.js';

/** Sums over the decisions of each action type, the largest exposure first. */
export async function sumPools(db: Queryable, scope: Scope, filter: Filter): Promise<PoolRow[]> {
  const columns = sql`action_type, sum(decisions) as decisions, sum(exposure)::text as exposure,
    sum(realised)::text as realised, sum(squares)::text as squares, sum(stake)::text as stake,
    sum(unconverted) as unconverted, sum(pending) as pending`;
  const rest = sql`group by action_type order by sum(exposure) desc, action_type`;
  return sumSlices<PoolRow>(db, scope, filter, { columns, rest });
}
