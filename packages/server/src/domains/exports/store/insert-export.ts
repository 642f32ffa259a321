import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';
import type { ExportRow } from './export-row.js';

export type NewExport = Pick<
  ExportRow,
  | 'export_id'
  | 'export_type'
  | 'range_start'
  | 'range_end'
  | 'requested_by'
  | 'is_large'
  | 'created_at'
>;

/** Keeps a request for an export, which waits for a worker. */
export async function insertExport(
  tx: Queryable,
  { orgId, ledgerId }: Scope,
  row: NewExport,
): Promise<void> {
  await tx.query(sql`
    insert into exports (ledger_id, export_id, org_id, export_type, range_start, range_end, status,
      requested_by, is_large, created_at, total, written, failures)
    values (${ledgerId}, ${row.export_id}, ${orgId}, ${row.export_type},
      ${instant(row.range_start)},
      ${instant(row.range_end)}, 'pending',
      ${row.requested_by}, ${row.is_large}, to_timestamp(${row.created_at}::bigint / 1000.0), 0, 0,
      0)`);
}
