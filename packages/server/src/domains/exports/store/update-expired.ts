import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Ends a complete export. False where it is none. */
export async function updateExpired(
  tx: Queryable,
  { ledgerId }: Scope,
  exportId: string,
  reason: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = 'expired', reason = ${reason}
    where ledger_id = ${ledgerId} and export_id = ${exportId}::uuid and status = 'complete'
    returning export_id`);
  return rows.length === 1;
}
