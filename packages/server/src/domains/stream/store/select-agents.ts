import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * The agents of decisions, by the UUIDs of these.
 * @param decisionIds UUIDs
 */
export async function selectAgents(
  db: Queryable,
  { ledgerId }: Scope,
  decisionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ decision_id: string; agent_id: string }>(sql`
    select decision_id, agent_id from decisions
    where ledger_id = ${ledgerId} and decision_id = any(${decisionIds}::uuid[])`);
  return new Map(rows.map(({ decision_id, agent_id }) => [decision_id, agent_id]));
}
