import type { MoneyKind, Standing } from '@decision-ledger/contract/source-profiles';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type PageRows,
  type Place,
  type Slice,
  selectPageRows,
} from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import type { EventFilter, EventSearch, PreparedEvent } from '../rules/event.js';
import { reversesUnknown } from './relations.js';

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
  readonly kind: MoneyKind;
  readonly standing: Standing;
}

const EVENT_COLUMNS = raw(`event_id, source, event_type, amount::text as amount, currency,
  external_id, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", description,
  metadata, supersedes, superseded_by,
  (extract(epoch from created_at) * 1000)::bigint as created_at,
  (extract(epoch from deleted_at) * 1000)::bigint as deleted_at, kind, standing`);

/** What an event counts with: decimal texts, whose sum is the amount with its sign. */
interface StoredCounting {
  readonly kind: MoneyKind;
  readonly standing: Standing;
  readonly counted_amount: string;
  readonly uncounted_amount: string;
  readonly may_include_tax: boolean;
}

export interface EventPlace {
  /** UUID. */
  readonly eventId: string;
  /** Name of the source object; null for an event that a caller sent. */
  readonly origin: string | null;
  /** UUID. */
  readonly supersedes: string | null;
  /** ms. */
  readonly createdAt: number;
  readonly counting: StoredCounting;
}

export async function insertEvent(
  tx: LedgerWriter,
  { body, timestamp, metadata }: PreparedEvent,
  place: EventPlace,
): Promise<void> {
  await tx.query(sql`
    insert into financial_events (ledger_id, event_id, source, event_type, amount, currency,
      external_id, "timestamp", description, metadata, origin, supersedes, created_at, kind, standing,
      counted_amount, uncounted_amount, may_include_tax, lead_id)
    values (${tx.ledgerId}, ${place.eventId}, ${body.source}, ${body.event_type},
      ${body.amount}::numeric, ${body.currency}, ${body.external_id ?? null},
      to_timestamp(${timestamp}::bigint / 1000.0), ${body.description ?? null}, ${metadata},
      ${place.origin}, ${place.supersedes}, to_timestamp(${place.createdAt}::bigint / 1000.0),
      ${place.counting.kind}, ${place.counting.standing}, ${place.counting.counted_amount}::numeric,
      ${place.counting.uncounted_amount}::numeric, ${place.counting.may_include_tax},
      ${place.eventId})`);
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

/** The events (UUIDs) that were recorded last and are not deleted. */
export async function selectNewestIds(ledger: LedgerReader, limit: number): Promise<string[]> {
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId} and deleted_at is null
    order by event_id desc limit ${limit}`);
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
    where ledger_id = ${ledger.ledgerId}${conditions(ledger.ledgerId, filter)}${olderThan(after)}
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

function conditions(ledgerId: string, filter: EventFilter): Sql {
  const all: Sql[] = searched(ledgerId, filter);
  if (filter.start !== undefined) all.push(sql`"timestamp" >= ${instant(filter.start)}`);
  if (filter.end !== undefined) all.push(sql`"timestamp" < ${instant(filter.end)}`);
  if (filter.eventType !== undefined) all.push(sql`event_type = ${filter.eventType}`);
  if (filter.externalId !== undefined) all.push(sql`external_id = ${filter.externalId}`);
  if (filter.currency !== undefined) all.push(sql`currency = ${filter.currency}`);
  if (!filter.includeDeleted) all.push(sql`deleted_at is null`);
  if (filter.kind !== undefined) all.push(sql`kind = ${filter.kind}`);
  if (filter.standing !== undefined) all.push(sql`standing = ${filter.standing}`);
  if (filter.isReversalOfUnknown) all.push(reversesUnknown(ledgerId));
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}

/** The conditions of a search, on the columns of `financial_events`: it reads no more than the whole ledger. */
export function searched(ledgerId: string, search: EventSearch): Sql[] {
  const { source, amount, minAmount, maxAmount } = search;
  return [
    ...contents(ledgerId, search),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(amount === undefined ? [] : [sql`abs(amount) = ${amount}::numeric`]),
    ...(minAmount === undefined ? [] : [sql`abs(amount) >= ${minAmount}::numeric`]),
    ...(maxAmount === undefined ? [] : [sql`abs(amount) <= ${maxAmount}::numeric`]),
  ];
}

/** What the indexes of words and of values find; a value is compared with the event itself. */
function contents(ledgerId: string, { text, values }: EventSearch): Sql[] {
  const words = sql`(description is not null or external_id is not null)
    and ledger_words(ledger_id, coalesce(description, '') || ' ' || coalesce(external_id, '')) @@
      plainto_tsquery('simple', replace(${ledgerId}::uuid::text, '-', '') || ' ' ||
        regexp_replace(${text ?? ''}, '[^[:alnum:]]+', ' ', 'g'))
    and ${text ?? ''} ~ '[[:alnum:]]'`;
  const hasValue = sql`metadata is not null
    and metadata_value_terms(ledger_id, metadata) && array(
      select ('x' || left(md5(${ledgerId}::uuid::text || value), 8))::bit(32)::integer
      from unnest(${values ?? []}::text[]) as value)
    and exists (select 1 from json_each(metadata::json) as member
      where member.value::text = any(${values ?? []}::text[]))`;
  return [...(text === undefined ? [] : [words]), ...(values === undefined ? [] : [hasValue])];
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
      kind = 'other', standing = 'deleted', counted_amount = 0, uncounted_amount = 0,
      may_include_tax = false
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

/** Whether a row is of a range, or one of some events (UUIDs); the bounds are in ms, the end is exclusive. */
export function isInRangeOrAmong(
  { start, end }: { readonly start: number; readonly end: number },
  eventIds: readonly string[],
): Sql {
  const isInRange = sql`"timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}`;
  if (eventIds.length === 0) return isInRange;
  return sql`((${isInRange}) or event_id = any(${eventIds}::uuid[]))`;
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
