import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { EXPORT_COLUMNS, type ExportRow } from './export-row.js';

/** @param exportId UUID */
export async function selectExport(
  db: Queryable,
  { ledgerId }: Pick<Scope, 'ledgerId'>,
  exportId: string,
): Promise<ExportRow | null> {
  const [row] = await db.query<ExportRow>(sql`
    select ${EXPORT_COLUMNS} from exports
    where ledger_id = ${ledgerId} and export_id = ${exportId}::uuid`);
  return row ?? null;
}
