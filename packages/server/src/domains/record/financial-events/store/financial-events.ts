import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { instant } from '../../../../platform/instant.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { Scope } from '../../../../platform/scope.js';
import type { EventFilter } from '../rules/filter.js';
import type { PreparedEvent } from '../rules/prepare.js';

/** A stored financial event as the queries of this room read it: times in ms. */
export interface EventRow {
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  /** Decimal text, as it was sent. */
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
  /** What it was made from; null for an event that a caller sent. */
  readonly origin: string | null;
  /** UUID. */
  readonly supersedes: string | null;
  /** ms. */
  readonly createdAt: number;
}

export async function insertEvent(
  tx: Queryable,
  { ledgerId }: Scope,
  { body, timestamp, metadata }: PreparedEvent,
  place: EventPlace,
): Promise<void> {
  await tx.query(sql`
    insert into financial_events (ledger_id, event_id, source, event_type, amount, currency,
      external_id, "timestamp", description, metadata, origin, supersedes, created_at)
    values (${ledgerId}, ${place.eventId}, ${body.source}, ${body.event_type},
      ${body.amount}::numeric, ${body.currency}, ${body.external_id ?? null},
      to_timestamp(${timestamp}::bigint / 1000.0), ${body.description ?? null}, ${metadata},
      ${place.origin}, ${place.supersedes}, to_timestamp(${place.createdAt}::bigint / 1000.0))`);
}

/** @param eventId UUID */
export async function selectEvent(
  db: Queryable,
  { ledgerId }: Scope,
  eventId: string,
): Promise<EventRow | null> {
  const [row] = await db.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledgerId} and event_id = ${eventId}`);
  return row ?? null;
}

/** The event that was made from this before, deleted or not. */
export async function selectEventByOrigin(
  db: Queryable,
  { ledgerId }: Scope,
  origin: string,
): Promise<EventRow | null> {
  const [row] = await db.query<EventRow>(sql`
    select ${EVENT_COLUMNS} from financial_events
    where ledger_id = ${ledgerId} and origin = ${origin}`);
  return row ?? null;
}

/** Where the page before ended. */
export interface PagePosition {
  /** ms. */
  readonly timestamp: number;
  /** UUID. */
  readonly eventId: string;
}

/** Newest first: timestamp descending, then id descending. The table is named for its index. */
export async function selectPage(
  db: Queryable,
  { ledgerId }: Scope,
  filter: EventFilter,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<EventRow>> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledgerId}${conditions(filter)}${olderThan(after)}
    order by financial_events."timestamp" desc, financial_events.event_id desc`;
  return selectPageRows<EventRow>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('financial_events'),
  columns: EVENT_COLUMNS,
  order: raw('"timestamp" desc, event_id desc'),
  bytes: raw('coalesce(octet_length(metadata), 0) + coalesce(octet_length(description), 0)'),
};

function olderThan(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", event_id) < (${instant(after.timestamp)}, ${after.eventId}::uuid)`;
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
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}

/**
 * Takes an event out of every sum; its row stays.
 * @param eventId UUID, like `supersededBy`
 */
export async function updateDeleted(
  tx: Queryable,
  { ledgerId }: Scope,
  eventId: string,
  deletedAt: number,
  supersededBy: string | null,
): Promise<void> {
  await tx.query(sql`
    update financial_events
    set deleted_at = to_timestamp(${deletedAt}::bigint / 1000.0), superseded_by = ${supersededBy}
    where ledger_id = ${ledgerId} and event_id = ${eventId}`);
}

/** Those of some events (UUIDs) that lie in a range, in ms; the end is excluded. */
export async function whichInRange(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
  eventIds: readonly string[],
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const rows = await db.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}`);
  return rows.map((row) => row.event_id);
}

export interface Most {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Events of a range, deleted ones included, oldest first: as many as have so many bytes together, and
 * at least one. The bounds are in ms; the end is excluded.
 */
export async function selectEvidence(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
  after: PagePosition | null,
  most: Most,
): Promise<EventRow[]> {
  return db.query<EventRow>(sql`
    with sized as (
      select c.event_id as place_id, row_number() over w as place, sum(c.bytes) over w as bytes
      from (
        select event_id, "timestamp", coalesce(octet_length(metadata), 0)
          + coalesce(octet_length(description), 0) as bytes
        from financial_events
        where ledger_id = ${ledgerId}
          and "timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}${newerThan(after)}
        order by financial_events."timestamp", financial_events.event_id limit ${most.records}
      ) as c window w as (order by c."timestamp", c.event_id rows unbounded preceding)
    )
    select ${EVENT_COLUMNS}
    from sized join financial_events on ledger_id = ${ledgerId} and event_id = place_id
    where place = 1 or bytes <= ${most.bytes}
    order by financial_events."timestamp", financial_events.event_id`);
}

function newerThan(after: PagePosition | null): Sql {
  if (after === null) return empty;
  return sql` and ("timestamp", event_id) > (${instant(after.timestamp)}, ${after.eventId}::uuid)`;
}
