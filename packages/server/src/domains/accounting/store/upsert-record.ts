import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { RecordRow } from './select-records.js';

export async function upsertRecord(
  tx: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
  row: RecordRow,
): Promise<void> {
  await tx.query(sql`
    insert into accounting_records (ledger_id, connection_id, record_key, fingerprint, event_id,
      is_deleted)
    values (${ledgerId}, ${connectionId}, ${row.record_key}, ${row.fingerprint}, ${row.event_id},
      ${row.is_deleted})
    on conflict (ledger_id, connection_id, record_key) do update
      set fingerprint = excluded.fingerprint, event_id = excluded.event_id,
        is_deleted = excluded.is_deleted`);
}
