import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface Completion {
  /** ms. */
  readonly completedAt: number;
  readonly expiresAt: number;
  /** Where the chain of activity ended when the export began. */
  readonly activitySeq: number;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly fingerprint: string;
}

/** False where the export is not being made any more. */
export async function updateComplete(
  tx: Queryable,
  { ledgerId }: Scope,
  exportId: string,
  done: Completion,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = 'complete', reason = null, written = total,
      completed_at = to_timestamp(${done.completedAt}::bigint / 1000.0),
      expires_at = to_timestamp(${done.expiresAt}::bigint / 1000.0),
      activity_seq = ${done.activitySeq}, file = ${done.file}, bytes = ${done.bytes},
      sha256 = ${done.sha256}, key_fingerprint = ${done.fingerprint}
    where ledger_id = ${ledgerId} and export_id = ${exportId}::uuid and status = 'running'
    returning export_id`);
  return rows.length === 1;
}
