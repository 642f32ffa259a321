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

/** Replaces a record, whose key an edit may have changed. */
export async function updateRecord(
  tx: LedgerWriter,
  connectionId: string,
  formerKey: string,
  row: RecordRow,
): Promise<void> {
  await tx.query(sql`
    update accounting_records
    set record_key = ${row.record_key}, fingerprint = ${row.fingerprint},
      event_id = ${row.event_id}, is_deleted = ${row.is_deleted}
    where ledger_id = ${tx.ledgerId} and connection_id = ${connectionId}
      and record_key = ${formerKey}`);
}

/** The event of a record, as far as plans need it. */
export interface MovementRow {
  readonly event_id: string;
  readonly event_type: string;
  /** Decimal text, as sent. */
  readonly amount: string;
  readonly currency: string;
  /** ms. */
  readonly timestamp: number;
  readonly external_id: string | null;
  readonly description: string | null;
  readonly account: string | null;
}

/** @param eventIds UUIDs */
export async function selectMovements(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<MovementRow[]> {
  if (eventIds.length === 0) return [];
  return ledger.query<MovementRow>(sql`
    select event_id, event_type, amount::text as amount, currency,
      (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", external_id, description,
      metadata::json ->> 'account' as account
    from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])`);
}
