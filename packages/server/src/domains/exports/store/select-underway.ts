import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** UUIDs of the exports of a ledger that are to be made. */
export async function selectUnderway(db: Queryable, { ledgerId }: Scope): Promise<string[]> {
  const rows = await db.query<{ export_id: string }>(sql`
    select export_id from exports
    where ledger_id = ${ledgerId} and status in ('pending', 'running')`);
  return rows.map(({ export_id }) => export_id);
}
