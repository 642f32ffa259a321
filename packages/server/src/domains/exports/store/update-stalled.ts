import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Gives up exports that were asked for before a time (ms) and are not at their end. */
export async function updateStalled(
  db: Queryable,
  { ledgerId }: Scope,
  before: number,
  reason: string,
): Promise<string[]> {
  const rows = await db.query<{ export_id: string }>(sql`
    update exports set status = 'failed', reason = ${reason}
    where ledger_id = ${ledgerId} and status in ('pending', 'running')
      and created_at < to_timestamp(${before}::bigint / 1000.0)
    returning export_id`);
  return rows.map((row) => row.export_id);
}
