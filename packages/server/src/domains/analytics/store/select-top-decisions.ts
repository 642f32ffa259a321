import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { TopRow } from '../rules/exposure.js';
import type { Filter } from '../rules/filter.js';
import { conditions } from './conditions.js';

/** The decisions of the largest exposure. */
export async function selectTopDecisions(
  db: Queryable,
  { ledgerId }: Scope,
  filter: Filter,
  limit: number,
): Promise<TopRow[]> {
  return db.query<TopRow>(sql`
    select e.decision_id, e.agent_id, e.action_type,
      (extract(epoch from e."timestamp") * 1000)::bigint as "timestamp",
      e.exposure::text as exposure, e.low::text as low, e.high::text as high
    from liability_estimates e where e.ledger_id = ${ledgerId}${conditions('e', filter)}
    order by e.exposure desc, e.seq desc limit ${limit}`);
}
