import sql, { raw } from 'sql-template-tag';
import { timestampArray } from '../../../../platform/binary-array.js';
import type { Queryable } from '../../../../platform/database.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { Scope } from '../../../../platform/scope.js';

/** @returns the events (UUIDs) that still wait for correlation, locked */
export async function lockWaitingEvents(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])
      and correlated_at is null and deleted_at is null
    order by event_id for update`);
  return rows.map(({ event_id }) => event_id);
}

export interface EventRow {
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
  db: Queryable,
  { ledgerId }: Scope,
  eventId: string,
): Promise<EventRow | null> {
  const [row] = await db.query<EventRow>(sql`
    select ${COLUMNS} from financial_events
    where ledger_id = ${ledgerId} and event_id = ${eventId} and deleted_at is null`);
  return row ?? null;
}

/** Events that wait for correlation, oldest first: as many as fit into a page. */
export async function selectNewEvents(
  db: Queryable,
  { ledgerId }: Scope,
  limit: number,
): Promise<PageRows<EventRow>> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledgerId} and correlated_at is null and deleted_at is null
    order by event_id`;
  return selectPageRows<EventRow>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('financial_events'),
  columns: COLUMNS,
  order: raw('event_id'),
  bytes: raw('coalesce(octet_length(metadata), 0)'),
};

/** @param eventIds UUIDs */
export async function updateCorrelated(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = now()
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])`);
}

/** A time span in ms, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An event that is dated by its day may lie this long before its end. */
const LONGEST_DAY_MS = 26 * 3_600_000;

/**
 * Marks the scored events of time spans for correlation. An event that is dated by its day belongs to a
 * span if any part of its day does.
 */
export async function updateUncorrelated(
  tx: Queryable,
  { ledgerId }: Scope,
  spans: readonly Span[],
): Promise<void> {
  await tx.query(sql`
    update financial_events e set correlated_at = null
    from unnest(${timestampArray(spans, ({ from }) => from)}::timestamptz[],
      ${timestampArray(spans, ({ to }) => to)}::timestamptz[]) as span (starts_at, ends_at)
    where e.ledger_id = ${ledgerId} and e.correlated_at is not null and e.deleted_at is null
      and e."timestamp" between span.starts_at - ${LONGEST_DAY_MS}::float8 * interval '1 ms'
        and span.ends_at
      and (e."timestamp" >= span.starts_at or exists (select from event_scores s
        where s.ledger_id = ${ledgerId} and s.event_id = e.event_id
          and s.ends_at >= span.starts_at))`);
}

/** An identifier of a decision, with the time from which on an event may follow it. */
export interface HeldToken {
  readonly token: number;
  /** ms. */
  readonly from: number;
  readonly to: number;
}

/** Events of one identifier that are marked for one decision: the next ones after it. */
const MAX_NAMING = 50;

/** Marks the next events that name one of the identifiers for correlation. */
export async function updateNaming(
  tx: Queryable,
  { ledgerId }: Scope,
  held: readonly HeldToken[],
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = null
    where ledger_id = ${ledgerId} and correlated_at is not null and deleted_at is null
      and event_id in (
        select named.event_id
        from unnest(${held.map(({ token }) => token)}::integer[],
          ${timestampArray(held, ({ from }) => from)}::timestamptz[],
          ${timestampArray(held, ({ to }) => to)}::timestamptz[]) as held (token, starts_at, ends_at),
        lateral (
          select event_id from event_tokens
          where ledger_id = ${ledgerId} and token = held.token
            and "timestamp" between held.starts_at and held.ends_at
          order by event_tokens."timestamp", event_tokens.event_id limit ${MAX_NAMING}
        ) as named)`);
}

/** Marks an event (UUID) for correlation. */
export async function updateWaiting(tx: Queryable, scope: Scope, eventId: string): Promise<void> {
  await updateAllWaiting(tx, scope, [eventId]);
}

/** Marks the events for correlation that have a suggestion with the evidence of a match. */
export async function updateMatchedWaiting(tx: Queryable, { ledgerId }: Scope): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = null
    where ledger_id = ${ledgerId} and deleted_at is null and event_id in (
      select event_id from event_scores
      where ledger_id = ${ledgerId} and label = 'matched' and is_suggested)`);
}

/** Marks events (UUIDs) for correlation. */
export async function updateAllWaiting(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = null
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[]) and deleted_at is null`);
}
