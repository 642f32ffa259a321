import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type PageRows,
  type Place,
  type Slice,
  selectPageRows,
} from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import type { EventFilter, PreparedEvent } from '../rules/event.js';

/** A stored financial event: times in ms. */
export interface EventRow {
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  /** Decimal text, as sent. */
  readonly amount: string;
  readonly currency: string;
  readonly external_id: string | null;
  readonly timestamp: number;
  readonly description: string | null;
  readonly metadata: string | null;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly created_at: number;
  readonly deleted_at: number | null;
}

const EVENT_COLUMNS = raw(`event_id, source, event_type, amount::text as amount, currency,
  external_id, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", description,
  metadata, supersedes, superseded_by,
  (extract(epoch from created_at) * 1000)::bigint as created_at,
  (extract(epoch from deleted_at) * 1000)::bigint as deleted_at`);

export interface EventPlace {
  /** UUID. */
  readonly eventId: string;
  /** Name of the source object; null for an event that a caller sent. */
  readonly origin: string | null;
  /** UUID. */
  readonly supersedes: string | null;
  /** ms. */
  readonly createdAt: number;
  /** Decimal text: the amount with the sign that the event counts with. */
  readonly countedAmount: string;
}

export async function insertEvent(
  tx: LedgerWriter,
  { body, timestamp, metadata }: PreparedEvent,
  place: EventPlace,
): Promise<void> {
  await tx.query(sql`
    insert into financial_events (ledger_id, event_id, source, event_type, amount, currency,
      external_id, "timestamp", description, metadata, origin, supersedes, created_at, counted_amount)
    values (${tx.ledgerId}, ${place.eventId}, ${body.source}, ${body.event_type},
      ${body.amount}::numeric, ${body.currency}, ${body.external_id ?? null},
      to_timestamp(${timestamp}::bigint / 1000.0), ${body.description ?? null}, ${metadata},
      ${place.origin}, ${place.supersedes}, to_timestamp(${place.createdAt}::bigint / 1000.0),
      ${place.countedAmount}::numeric)`);
}

/** @param eventId UUID */
export async function selectEvent(ledger: LedgerReader, eventId: string): Promise<EventRow | null> {
  const [row] = await ledger.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = ${eventId}`);
  return row ?? null;
}

/** The events with these UUIDs, deleted or not. */
export async function selectEvents(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<EventRow[]> {
  return ledger.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])`);
}

/** The event of an origin, even if deleted. */
export async function selectEventByOrigin(
  ledger: LedgerReader,
  origin: string,
): Promise<EventRow | null> {
  const [row] = await ledger.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledger.ledgerId} and origin = ${origin}`);
  return row ?? null;
}

/** The events (UUIDs) that are not deleted, in the order of their ids. */
export async function selectLiveIds(
  ledger: LedgerReader,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const newer = after === null ? empty : sql` and event_id > ${after}::uuid`;
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId} and deleted_at is null${newer}
    order by event_id limit ${limit}`);
  return rows.map(({ event_id }) => event_id);
}

/**
 * Newest first: timestamp descending, then id descending. ORDER BY names the table because a bare name
 * would mean the output column, which has no index.
 */
export async function selectEventPage(
  ledger: LedgerReader,
  filter: EventFilter,
  { after, limit }: Slice<Place>,
): Promise<PageRows<EventRow>> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledger.ledgerId}${conditions(filter)}${olderThan(after)}
    order by financial_events."timestamp" desc, financial_events.event_id desc`;
  return selectPageRows<EventRow>(ledger, { ...PAGE, rows }, limit);
}

const SOURCE = {
  table: raw('financial_events'),
  columns: EVENT_COLUMNS,
  bytes: raw('coalesce(octet_length(metadata), 0) + coalesce(octet_length(description), 0)'),
};
const PAGE = { ...SOURCE, order: raw('"timestamp" desc, event_id desc') };
const EVIDENCE_PAGE = { ...SOURCE, order: raw('"timestamp", event_id') };

function olderThan(after: Place | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", event_id) < (${instant(after.at)}, ${after.id}::uuid)`;
}

function conditions(filter: EventFilter): Sql {
  const all: Sql[] = [];
  if (filter.start !== undefined) all.push(sql`"timestamp" >= ${instant(filter.start)}`);
  if (filter.end !== undefined) all.push(sql`"timestamp" < ${instant(filter.end)}`);
  if (filter.source !== undefined) all.push(sql`source = ${filter.source}`);
  if (filter.eventType !== undefined) all.push(sql`event_type = ${filter.eventType}`);
  if (filter.externalId !== undefined) all.push(sql`external_id = ${filter.externalId}`);
  if (filter.currency !== undefined) all.push(sql`currency = ${filter.currency}`);
  if (!filter.includeDeleted) all.push(sql`deleted_at is null`);
  // Other live events count nothing only if their amount is zero.
  if (filter.isUnclassified)
    all.push(sql`deleted_at is null and counted_amount = 0 and amount <> 0`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}

/**
 * Marks an event as deleted: it counts with nothing.
 * @param eventId UUID, like `supersededBy`
 */
export async function updateDeletedEvent(
  tx: LedgerWriter,
  eventId: string,
  deletedAt: number,
  supersededBy: string | null,
): Promise<void> {
  await tx.query(sql`
    update financial_events
    set deleted_at = to_timestamp(${deletedAt}::bigint / 1000.0), superseded_by = ${supersededBy},
      counted_amount = 0
    where ledger_id = ${tx.ledgerId} and event_id = ${eventId}`);
}

/** The events (UUIDs) among those given that lie in a range, in ms; the end is exclusive. */
export async function selectEventsInRange(
  ledger: LedgerReader,
  { start, end }: { readonly start: number; readonly end: number },
  eventIds: readonly string[],
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}`);
  return rows.map((row) => row.event_id);
}

/** Whether a row is of a range; the bounds are in ms, the end is exclusive. */
export function isInRange({ start, end }: { readonly start: number; readonly end: number }): Sql {
  return sql`"timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}`;
}

/**
 * Events that meet a condition, including deleted ones, oldest first: a page with at least one row.
 */
export async function selectEventEvidence(
  ledger: LedgerReader,
  condition: Sql,
  after: Place | null,
  max: { readonly records: number; readonly bytes: number },
): Promise<readonly EventRow[]> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledger.ledgerId} and ${condition}${newerThan(after)}
    order by financial_events."timestamp", financial_events.event_id`;
  const source = { ...EVIDENCE_PAGE, rows };
  return (await selectPageRows<EventRow>(ledger, source, max.records, max.bytes)).rows;
}

function newerThan(after: Place | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", event_id) > (${instant(after.at)}, ${after.id}::uuid)`;
}
