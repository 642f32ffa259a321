import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface ProgressRow {
  /** Decisions in the range. */
  readonly decisions: number;
  readonly written: number;
  readonly total: number;
}

/** False where the export is not being made any more. */
export async function updateProgress(
  db: Queryable,
  { ledgerId }: Scope,
  exportId: string,
  { decisions, written, total }: ProgressRow,
): Promise<boolean> {
  const rows = await db.query(sql`
    update exports set decisions = ${decisions}, written = ${written}, total = ${total}
    where ledger_id = ${ledgerId} and export_id = ${exportId}::uuid and status = 'running'
    returning export_id`);
  return rows.length === 1;
}
