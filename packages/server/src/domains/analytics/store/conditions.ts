import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { instant } from '../../../platform/instant.js';
import type { Filter } from '../rules/filter.js';

/**
 * What a filter asks of the rows of a table beside their ledger, behind an `and`.
 * @param alias of the table in the statement
 * @param time its column of time
 */
export function conditions(
  alias: 'a' | 'c' | 'd' | 'e',
  { start, end, agentId, actionType }: Filter,
  time: 'hour' | 'timestamp' = 'timestamp',
): Sql {
  const column = raw(`${alias}."${time}"`);
  const all: Sql[] = [];
  if (start !== undefined) all.push(sql`${column} >= ${instant(start)}`);
  if (end !== undefined) all.push(sql`${column} < ${instant(end)}`);
  if (agentId !== undefined) all.push(sql`${raw(alias)}.agent_id = ${agentId}`);
  if (actionType !== undefined) all.push(sql`${raw(alias)}.action_type = ${actionType}`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}
