import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import { sumSlices } from './sum-slices.js';

export interface ExposureSum {
  readonly decisions: number;
  /** Decimal text. */
  readonly exposure: string;
  readonly realised: string;
}

/** What decisions could cost, by their own time. */
export async function sumExposure(
  db: Queryable,
  scope: Scope,
  filter: Filter,
): Promise<ExposureSum> {
  const columns = sql`coalesce(sum(decisions), 0) as decisions,
    coalesce(sum(exposure), 0)::text as exposure, coalesce(sum(realised), 0)::text as realised`;
  const [row] = await sumSlices<ExposureSum>(db, scope, filter, { columns });
  return row ?? { decisions: 0, exposure: '0', realised: '0' };
}
