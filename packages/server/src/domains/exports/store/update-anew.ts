import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Says why an export that is being made begins anew: nothing of it is written then. */
export async function updateAnew(
  db: Queryable,
  { ledgerId }: Scope,
  exportId: string,
  reason: string,
): Promise<void> {
  await db.query(sql`
    update exports set reason = ${reason}, written = 0
    where ledger_id = ${ledgerId} and export_id = ${exportId}::uuid and status = 'running'`);
}
