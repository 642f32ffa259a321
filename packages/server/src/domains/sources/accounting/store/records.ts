import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

export interface RecordRow {
  readonly record_key: string;
  readonly fingerprint: string;
  /** UUID of its latest event. */
  readonly event_id: string;
  readonly is_deleted: boolean;
}

/** @param keys null for every record of the connection */
export async function selectSourceRecords(
  ledger: LedgerReader,
  connectionId: string,
  keys: readonly string[] | null,
): Promise<RecordRow[]> {
  return ledger.query<RecordRow>(sql`
    select record_key, fingerprint, event_id, is_deleted from accounting_records
    where ledger_id = ${ledger.ledgerId} and connection_id = ${connectionId}
      and (${keys}::text[] is null or record_key = any(${keys}::text[]))`);
}

export async function upsertRecord(
  tx: LedgerWriter,
  connectionId: string,
  row: RecordRow,
): Promise<void> {
  await tx.query(sql`
    insert into accounting_records (ledger_id, connection_id, record_key, fingerprint, event_id,
      is_deleted)
    values (${tx.ledgerId}, ${connectionId}, ${row.record_key}, ${row.fingerprint}, ${row.event_id},
      ${row.is_deleted})
    on conflict (ledger_id, connection_id, record_key) do update
      set fingerprint = excluded.fingerprint, event_id = excluded.event_id,
        is_deleted = excluded.is_deleted`);
}
