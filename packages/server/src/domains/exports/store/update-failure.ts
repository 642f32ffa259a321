import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { ExportRow } from './export-row.js';

/**
 * Counts a failure of an export that is to be made; the last one ends it.
 * @returns its status then; null where it is not to be made any more
 */
export async function updateFailure(
  tx: Queryable,
  { ledgerId }: Scope,
  exportId: string,
  reason: string,
  mostFailures: number,
): Promise<ExportRow['status'] | null> {
  const [row] = await tx.query<Pick<ExportRow, 'status'>>(sql`
    update exports set failures = failures + 1, reason = ${reason},
      status = case when failures + 1 >= ${mostFailures}::integer then 'failed' else status end
    where ledger_id = ${ledgerId} and export_id = ${exportId}::uuid 
      and status in ('pending', 'running')
    returning status`);
  return row?.status ?? null;
}
