import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface PatternRow {
  readonly event_type: string;
  readonly action_type: string;
  readonly agent_id: string;
  readonly day: number;
  readonly confirmed: number;
  readonly rejected: number;
}

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
