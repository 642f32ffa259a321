import sql, { empty, join } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { PnlFilter } from '../rules/filter.js';
import { timeRange } from './time-range.js';

export async function countDecisions(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, agentId, actionType }: PnlFilter,
): Promise<number> {
  const all = timeRange(sql`"timestamp"`, { start, end });
  if (agentId !== undefined) all.push(sql`agent_id = ${agentId}`);
  if (actionType !== undefined) all.push(sql`action_type = ${actionType}`);
  const conditions = all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from decisions where ledger_id = ${ledgerId}${conditions}`);
  return row?.count ?? 0;
}
