import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Marks an export as being made. False where it is not to be made any more. */
export async function updateBegun(
  tx: Queryable,
  { ledgerId }: Scope,
  exportId: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = 'running'
    where ledger_id = ${ledgerId} and export_id = ${exportId}::uuid
      and status in ('pending', 'running') returning export_id`);
  return rows.length === 1;
}
