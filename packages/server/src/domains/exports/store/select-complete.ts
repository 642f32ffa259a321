import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { EXPORT_COLUMNS, type ExportRow } from './export-row.js';

/** The exports of a ledger that can be downloaded: at most those of a day. */
export async function selectComplete(db: Queryable, { ledgerId }: Scope): Promise<ExportRow[]> {
  return db.query<ExportRow>(sql`
    select ${EXPORT_COLUMNS} from exports
    where ledger_id = ${ledgerId} and status = 'complete' order by exports.export_id`);
}
