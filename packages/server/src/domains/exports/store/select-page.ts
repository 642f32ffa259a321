import sql, { empty, raw } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type PageRows, selectPageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { EXPORT_COLUMNS, type ExportRow } from './export-row.js';

/** Newest first. @param before UUID of the last export of the page before */
export async function selectPage(
  db: Queryable,
  { ledgerId }: Scope,
  status: ExportRow['status'] | undefined,
  before: string | null,
  limit: number,
): Promise<PageRows<ExportRow>> {
  const only = status === undefined ? empty : sql` and status = ${status}`;
  const behind = before === null ? empty : sql` and export_id < ${before}::uuid`;
  const rows = sql`
    select * from exports where ledger_id = ${ledgerId}${only}${behind}
    order by exports.export_id desc`;
  return selectPageRows<ExportRow>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('exports'),
  columns: EXPORT_COLUMNS,
  order: raw('export_id desc'),
  bytes: raw('coalesce(octet_length(reason), 0)'),
};
