import { notFound } from '@decision-ledger/contract/errors';
import type {
  FinancialEvent,
  FinancialEventQuery,
} from '@decision-ledger/contract/financial-event';
import { JsonObject } from '@decision-ledger/contract/shared';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { PageRows, Place, Slice } from '../../../platform/page.js';
import { readEventFilter } from './rules/event.js';
import {
  type EventRow,
  selectEvent,
  selectEventPage,
  selectEvents,
} from './store/financial-events.js';

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

const checkMetadata = checker(JsonObject, 'metadata');

/** The stored events of a page as the API returns them; other requests are served in between. */
export function describeEvents(rows: readonly EventRow[]): Promise<FinancialEvent[]> {
  return mapInTurns(rows, describeEvent);
}

/** A stored event as the API returns it. */
export function describeEvent(row: EventRow): FinancialEvent {
  return {
    id: uuidToId('evt', row.event_id),
    source: row.source,
    event_type: row.event_type,
    amount: row.amount,
    currency: row.currency,
    ...(row.external_id !== null && { external_id: row.external_id }),
    timestamp: formatTimestamp(row.timestamp),
    ...(row.description !== null && { description: row.description }),
    ...(row.metadata !== null && { metadata: checkMetadata(parseJson(row.metadata)) }),
    ...(row.supersedes !== null && { supersedes: uuidToId('evt', row.supersedes) }),
    ...(row.superseded_by !== null && { superseded_by: uuidToId('evt', row.superseded_by) }),
    created_at: formatTimestamp(row.created_at),
    deleted_at: row.deleted_at === null ? null : formatTimestamp(row.deleted_at),
  };
}
