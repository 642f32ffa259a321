import sql, { raw } from 'sql-template-tag';
import { int4Array, timestampArray } from '../../../../platform/binary-array.js';
import { deleteDue, insertDue, insertDueOf } from '../../../../platform/followers/due-work.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { selectPageRows } from '../../../../platform/page.js';
import { leadOf } from './leads.js';

/** The follower that scores events: those that wait are due. */
export const SUGGESTIONS = 'suggestions';

/** Lets an event (UUID) that is being recorded wait to be scored. */
export function insertRecorded(tx: LedgerWriter, eventId: string): Promise<void> {
  return insertDue(tx, SUGGESTIONS, eventId);
}

/** Lets the reports that lead the movements of events (UUIDs) wait to be scored, unless they are deleted. */
export async function insertWaiting(tx: LedgerWriter, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await insertDueOf(
    tx,
    SUGGESTIONS,
    sql`select distinct lead_id from financial_events
      where ledger_id = ${tx.ledgerId} and event_id = any(${eventIds}::uuid[])
        and deleted_at is null`,
  );
}

/** A time span in ms, both ends included. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** An event that is dated by its day may lie this long before its end. */
const LONGEST_DAY_MS = 26 * 3_600_000;

/**
 * Lets the events of time spans wait to be scored. An event that is dated by its day belongs to a span if
 * any part of its day does.
 */
export async function insertWaitingBetween(
  tx: LedgerWriter,
  spans: readonly TimeSpan[],
): Promise<void> {
  await insertDueOf(
    tx,
    SUGGESTIONS,
    sql`select e.event_id
      from unnest(${timestampArray(spans, ({ from }) => from)}::timestamptz[],
        ${timestampArray(spans, ({ to }) => to)}::timestamptz[]) as span (starts_at, ends_at)
      join financial_events e on e.ledger_id = ${tx.ledgerId} and e.deleted_at is null
        and e.lead_id = e.event_id
        and e."timestamp" between span.starts_at - ${LONGEST_DAY_MS}::float8 * interval '1 ms'
          and span.ends_at
        and (e."timestamp" >= span.starts_at or exists (select from event_scores s
          where s.ledger_id = ${tx.ledgerId} and s.event_id = e.event_id
            and s.ends_at >= span.starts_at))`,
  );
}

/** An identifier of a decision, with the time from which on an event may follow it. */
export interface HeldToken {
  readonly token: number;
  /** ms. */
  readonly from: number;
  readonly to: number;
}

/** Events of one identifier that wait for one decision: the next ones after it. */
const MAX_NAMING = 50;

/**
 * Lets the next events that name one of the identifiers wait to be scored. OFFSET lets the planner only look up each named
 * event: without statistics, it would search the names once for each event of the ledger.
 */
export async function insertWaitingNaming(
  tx: LedgerWriter,
  held: readonly HeldToken[],
): Promise<void> {
  await insertDueOf(
    tx,
    SUGGESTIONS,
    sql`select live.event_id from (
        select distinct named.event_id
        from unnest(${int4Array(held, ({ token }) => token)}::integer[],
          ${timestampArray(held, ({ from }) => from)}::timestamptz[],
          ${timestampArray(held, ({ to }) => to)}::timestamptz[]) as held (token, starts_at, ends_at),
        lateral (
          select event_id from event_tokens
          where ledger_id = ${tx.ledgerId} and token = held.token
            and "timestamp" between held.starts_at and held.ends_at
          order by event_tokens."timestamp", event_tokens.event_id limit ${MAX_NAMING}
        ) as named) as named,
      lateral (
        select event_id from financial_events
        where ledger_id = ${tx.ledgerId} and event_id = named.event_id and deleted_at is null
          and lead_id = event_id offset 0
      ) as live`,
  );
}

/** Lets the events that have a suggestion with the evidence of a match wait to be scored. */
export async function insertWaitingMatched(tx: LedgerWriter): Promise<void> {
  await insertDueOf(
    tx,
    SUGGESTIONS,
    sql`select event_id from financial_events
      where ledger_id = ${tx.ledgerId} and deleted_at is null and lead_id = event_id and event_id in (
        select event_id from event_scores
        where ledger_id = ${tx.ledgerId} and label = 'matched' and is_suggested)`,
  );
}

/** @param eventId UUID of an event that is deleted */
export function deleteWaiting(tx: LedgerWriter, eventId: string): Promise<void> {
  return deleteDue(tx, SUGGESTIONS, [eventId]);
}

/** What events wait for. */
interface Awaited {
  /** When the first decision that was not extracted yet was recorded, in ms; null without one. */
  readonly first_unextracted: number | null;
  /** UUIDs of those that another follower has to do first. */
  readonly unsettled: readonly string[];
}

/**
 * What some events (UUIDs) wait for. OFFSET lets the planner only look up each event: without statistics, it would read all
 * that is due at once.
 * @param extracted position of the last decision that was extracted
 * @param before a follower: what is due for it at once is unsettled, what failed is not
 */
export async function selectAwaited(
  ledger: LedgerReader,
  eventIds: readonly string[],
  { extracted, before }: { readonly extracted: number; readonly before: string },
): Promise<Awaited> {
  const [row] = await ledger.query<Awaited>(sql`
    select (
        select floor(extract(epoch from created_at) * 1000)::bigint from decisions
        where ledger_id = ${ledger.ledgerId} and seq = ${extracted + 1}) as first_unextracted,
      array(
        select subject::text from (
          select subject, due_at from due_work
          where ledger_id = ${ledger.ledgerId} and follower = ${before}
            and subject = any(${eventIds}::uuid[]) offset 0) as compared
        where due_at = '-infinity') as unsettled`);
  return row ?? { first_unextracted: null, unsettled: [] };
}

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

/** The report that leads the movement of an event (UUID) that is not deleted. */
export async function selectLiveLead(
  ledger: LedgerReader,
  eventId: string,
): Promise<EventFieldsRow | null> {
  const [row] = await ledger.query<EventFieldsRow>(sql`
    select ${COLUMNS} from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = ${leadOf(ledger.ledgerId, eventId)}
      and deleted_at is null`);
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
