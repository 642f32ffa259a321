import sql, { raw } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { selectPageRows } from '../../../../platform/page.js';

export interface EventFieldsRow {
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  readonly amount: string;
  readonly currency: string;
  readonly external_id: string | null;
  /** Canonical JSON. */
  readonly metadata: string | null;
  /** ms, like `created_at`. */
  readonly timestamp: number;
  readonly created_at: number;
}

const COLUMNS = raw(`event_id, source, event_type, amount::text as amount, currency, external_id,
  metadata, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp",
  (extract(epoch from created_at) * 1000)::bigint as created_at`);

/** An event (UUID) that is not deleted. */
export async function selectLiveEvent(
  ledger: LedgerReader,
  eventId: string,
): Promise<EventFieldsRow | null> {
  const [row] = await ledger.query<EventFieldsRow>(sql`
    select ${COLUMNS} from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = ${eventId} and deleted_at is null`);
  return row ?? null;
}

/** Events (UUIDs), oldest first: as many as fit into a page. */
export async function selectEventFields(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<readonly EventFieldsRow[]> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
    order by financial_events.event_id`;
  const page = await selectPageRows<EventFieldsRow>(ledger, { ...PAGE, rows }, eventIds.length);
  return page.rows;
}

const PAGE = {
  table: raw('financial_events'),
  columns: COLUMNS,
  order: raw('event_id'),
  bytes: raw('coalesce(octet_length(metadata), 0)'),
};
