import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { instant } from '../../../../platform/instant.js';
import { selectPageRows } from '../../../../platform/page.js';
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
  /** ms. */
  readonly timestamp: number;
}

/** Events that wait for correlation, oldest first: as many as fit into a page. */
export async function selectNewEvents(
  db: Queryable,
  { ledgerId }: Scope,
  limit: number,
): Promise<readonly EventRow[]> {
  const rows = sql`
    select * from financial_events
    where ledger_id = ${ledgerId} and correlated_at is null and deleted_at is null
    order by event_id`;
  return (await selectPageRows<EventRow>(db, { ...PAGE, rows }, limit)).rows;
}

const PAGE = {
  table: raw('financial_events'),
  columns:
    raw(`event_id, source, event_type, amount::text as amount, currency, external_id, metadata,
    (extract(epoch from "timestamp") * 1000)::bigint as "timestamp"`),
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

/** Marks the events of a time span (ms) for correlation. */
export async function updateUncorrelated(
  tx: Queryable,
  { ledgerId }: Scope,
  from: number,
  to: number,
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = null
    where ledger_id = ${ledgerId} and correlated_at is not null and deleted_at is null
      and "timestamp" between ${instant(from)}
        and ${instant(to)}`);
}

/** Marks an event (UUID) for correlation. */
export async function updateWaiting(
  tx: Queryable,
  { ledgerId }: Scope,
  eventId: string,
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = null
    where ledger_id = ${ledgerId} and event_id = ${eventId} and deleted_at is null`);
}
