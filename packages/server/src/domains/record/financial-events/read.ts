import { notFound } from '@decision-ledger/contract/errors';
import type {
  FinancialEvent,
  FinancialEventQuery,
  Movement,
  ReportedEvent,
} from '@decision-ledger/contract/financial-event';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { PageRows, Place, Slice } from '../../../platform/page.js';
import { readMetadata } from '../money-signs/index.js';
import { readEventFilter } from './rules/event.js';
import {
  type EventRow,
  selectEvent,
  selectEventPage,
  selectEvents,
} from './store/financial-events.js';
import { selectReports } from './store/movements.js';

/**
 * An event, deleted or not.
 * @throws LedgerError `not_found`
 */
export async function readEvent(ledger: LedgerReader, id: string): Promise<EventRow> {
  const uuid = idToUuid('evt', id);
  const row = uuid === null ? null : await selectEvent(ledger, uuid);
  if (row === null) throw notFound('financial event');
  return row;
}

/** The events with these UUIDs, deleted or not. */
export async function readEvents(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, EventRow>> {
  const rows = await selectEvents(ledger, eventIds);
  return new Map(rows.map((row) => [row.event_id, row]));
}

/** The amount, decimal text, of the movement of an event (UUID): that of the report that leads it. */
export async function readLeadAmount(ledger: LedgerReader, eventId: string): Promise<string> {
  const [report] = await selectReports(ledger, [eventId]);
  const lead = report === undefined ? null : await selectEvent(ledger, report.lead_id);
  if (lead === null) throw notFound('financial event');
  return lead.amount;
}

/**
 * Events of a ledger, newest first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listEvents(
  ledger: LedgerReader,
  query: FinancialEventQuery,
  slice: Slice<Place>,
): Promise<PageRows<EventRow>> {
  return selectEventPage(ledger, readEventFilter(query), slice);
}

/** Stored events as the API returns them, with their movements; other requests are served in between. */
export async function describeReports(
  ledger: LedgerReader,
  rows: readonly EventRow[],
): Promise<ReportedEvent[]> {
  const movements = await readMovements(
    ledger,
    rows.map(({ event_id }) => event_id),
  );
  return mapInTurns(rows, (row): ReportedEvent => {
    const movement = movements.get(row.event_id);
    if (movement === undefined) throw new Error('an event belongs to no movement');
    return { ...describeEvent(row), kind: row.kind, standing: row.standing, movement };
  });
}

/** The movements of events (UUIDs) as the API returns them. */
export async function readMovements(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, Movement>> {
  const movements = new Map<string, Movement>();
  const reports = await selectReports(ledger, eventIds);
  for (const { lead_id } of reports) {
    movements.set(lead_id, { lead: uuidToId('evt', lead_id), reports: [] });
  }
  for (const { event_id, lead_id } of reports) {
    movements.get(lead_id)?.reports.push(uuidToId('evt', event_id));
  }
  return new Map(
    reports.flatMap(({ event_id, lead_id }) => {
      const movement = movements.get(lead_id);
      return movement === undefined ? [] : [[event_id, movement]];
    }),
  );
}

/** A stored event as the API returns it. */
export function describeEvent(row: EventRow): FinancialEvent {
  const metadata = readMetadata(row.metadata);
  return {
    id: uuidToId('evt', row.event_id),
    source: row.source,
    event_type: row.event_type,
    amount: row.amount,
    currency: row.currency,
    ...(row.external_id !== null && { external_id: row.external_id }),
    timestamp: formatTimestamp(row.timestamp),
    ...(row.description !== null && { description: row.description }),
    ...(metadata !== null && { metadata }),
    ...(row.supersedes !== null && { supersedes: uuidToId('evt', row.supersedes) }),
    ...(row.superseded_by !== null && { superseded_by: uuidToId('evt', row.superseded_by) }),
    created_at: formatTimestamp(row.created_at),
    deleted_at: row.deleted_at === null ? null : formatTimestamp(row.deleted_at),
  };
}
