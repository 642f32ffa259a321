import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import type { LiveMonth } from '../rules/brake.js';

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
  readonly is_deleted: boolean;
  /** Whether a person made or confirmed a link of it that stands. */
  readonly is_confirmed: boolean;
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
      metadata::json ->> 'account' as account, deleted_at is not null as is_deleted,
      exists (select from links
        where links.ledger_id = ${ledger.ledgerId} and links.event_id = financial_events.event_id
          and links.deleted_at is null
          and links.status in ('CONFIRMED', 'ML_INFERRED')) as is_confirmed
    from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])`);
}

/** The events of a connection that count, by month and currency. */
export async function selectLiveMonths(
  ledger: LedgerReader,
  connectionId: string,
): Promise<LiveMonth[]> {
  return ledger.query<LiveMonth>(sql`
    select to_char(e."timestamp" at time zone 'UTC', 'YYYY-MM') as month, e.currency,
      count(*)::int as events, sum(e.amount)::text as net, sum(abs(e.amount))::text as gross
    from accounting_records r
    join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = r.event_id
    where r.ledger_id = ${ledger.ledgerId} and r.connection_id = ${connectionId}
      and not r.is_deleted and e.deleted_at is null
    group by 1, 2`);
}
