import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { PnlFilter } from '../rules/filter.js';

export async function countDecisions(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, agentId, actionType }: PnlFilter,
): Promise<number> {
  const all: Sql[] = [];
  if (start !== undefined) all.push(sql`"timestamp" >= to_timestamp(${start}::bigint / 1000.0)`);
  if (end !== undefined) all.push(sql`"timestamp" < to_timestamp(${end}::bigint / 1000.0)`);
  if (agentId !== undefined) all.push(sql`agent_id = ${agentId}`);
  if (actionType !== undefined) all.push(sql`action_type = ${actionType}`);
  const conditions = all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from decisions where ledger_id = ${ledgerId}${conditions}`);
  return row?.count ?? 0;
}
