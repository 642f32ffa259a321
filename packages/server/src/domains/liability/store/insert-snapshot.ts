import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { SnapshotRow } from './snapshot-row.js';

/** @param at ms */
export async function insertSnapshot(
  tx: Queryable,
  { ledgerId }: Scope,
  snapshot: SnapshotRow,
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into liability_snapshots (ledger_id, snapshot_id, version, currency, settings,
      experience, taken_at)
    values (${ledgerId}, ${snapshot.snapshot_id}, ${snapshot.version}, ${snapshot.currency},
      ${snapshot.settings}, ${snapshot.experience}, to_timestamp(${at}::bigint / 1000.0))`);
}
