import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Pattern } from '../rules/knowledge.js';
import type { ReviewCounts } from '../rules/priors.js';

export type PatternRow = Pattern & ReviewCounts;

/** @param sinceDay days since the epoch; what is older has all but faded */
export async function selectPatterns(
  db: Queryable,
  { ledgerId }: Scope,
  sinceDay: number,
): Promise<PatternRow[]> {
  return db.query<PatternRow>(sql`
    select event_type, action_type, agent_id, day, confirmed, rejected from agent_patterns
    where ledger_id = ${ledgerId} and day >= ${sinceDay}
    order by event_type, action_type, agent_id, day`);
}
