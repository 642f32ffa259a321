import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { SnapshotRow } from './snapshot-row.js';

/** The newest snapshot of a ledger. */
export async function selectSnapshot(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<SnapshotRow | null> {
  const [row] = await db.query<SnapshotRow>(sql`
    select snapshot_id, version, currency, settings, experience from liability_snapshots
    where ledger_id = ${ledgerId} order by liability_snapshots.snapshot_id desc limit 1`);
  return row ?? null;
}
