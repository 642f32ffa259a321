import { notFound } from '@decision-ledger/contract/errors';
import type { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { transactionIn } from '@decision-ledger/proof/movement';
import { lockHead } from '../../../platform/chain/head.js';
import { insertDue } from '../../../platform/followers/due-work.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { readSettings } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { countReport, taxSaid } from '../money-signs/index.js';
import { leaveMovement } from './movements.js';
import { type PreparedEvent, prepareEvent } from './rules/event.js';
import {
  type EventPlace,
  type EventRow,
  insertEvent,
  selectEvent,
  selectEventByOrigin,
  updateDeletedEvent,
} from './store/financial-events.js';
import { keepCounts } from './store/former-counts.js';
import { MOVEMENTS, reconsider } from './store/movements.js';

/** Where an event comes from if no caller sent it. */
export interface Lineage {
  /** Permanent name of the source object; an origin has one event. */
  readonly origin?: string;
  /** UUID of the event that this one replaces; that one stops counting. */
  readonly supersedes?: string;
}

/** @throws LedgerError `validation_error` */
export async function recordEvent(
  tx: LedgerWriter,
  hooks: RecordHooks,
  actor: Actor,
  body: FinancialEventBody,
  { origin, supersedes }: Lineage = {},
): Promise<EventRow> {
  const event = prepareEvent(body);
  const eventId = tx.ids.uuid();
  const createdAt = await recordActivity(tx, {
    type: 'financial_event.recorded',
    actor: actor.actor,
    subject: uuidToId('evt', eventId),
    when: { event: formatTimestamp(event.timestamp) },
    data: {
      ...event.body,
      origin: origin ?? null,
      ...(supersedes !== undefined && { supersedes: uuidToId('evt', supersedes) }),
    },
  });
  // Read after the activity was locked, so that a change of the settings is seen, or sees this event.
  const { attribution } = await readSettings(tx);
  const place = {
    eventId,
    origin: origin ?? null,
    supersedes: supersedes ?? null,
    createdAt,
    counting: countReport(
      attribution,
      { ...event.body, metadata: event.body.metadata ?? null },
      { human: [], isWitness: false, tax: ownTax(eventId, event) },
    ),
  };
  await insertEvent(tx, event, place);
  await hooks.eventRecorded(tx, eventId);
  await insertDue(tx, MOVEMENTS, eventId);
  if (supersedes !== undefined) await retire(tx, hooks, actor, supersedes, eventId);
  return rowOf(event, place);
}

/** What an event that nothing else reports says of its tax. */
function ownTax(eventId: string, { body, timestamp }: PreparedEvent) {
  const { source, external_id = null, metadata = {}, amount, currency } = body;
  const report = { id: eventId, source, external_id, timestamp, amount, currency };
  return taxSaid(report, [{ ...report, transaction: transactionIn(report, metadata) }]);
}

function rowOf({ body, timestamp, metadata }: PreparedEvent, place: EventPlace): EventRow {
  return {
    event_id: place.eventId,
    source: body.source,
    event_type: body.event_type,
    amount: body.amount,
    currency: body.currency,
    external_id: body.external_id ?? null,
    timestamp,
    description: body.description ?? null,
    metadata,
    supersedes: place.supersedes,
    superseded_by: null,
    created_at: place.createdAt,
    deleted_at: null,
    kind: place.counting.kind,
    standing: place.counting.standing,
  };
}

export interface Version {
  readonly event: EventRow;
  /** From 0. */
  readonly version: number;
}

/** The newest event of an origin: follows `superseded_by` to its end. */
export async function findLatestVersion(tx: LedgerWriter, origin: string): Promise<Version | null> {
  let event = await selectEventByOrigin(tx, origin);
  if (event === null) return null;
  let version = 0;
  while (event.superseded_by !== null) {
    const next: EventRow | null = await selectEvent(tx, event.superseded_by);
    if (next === null) break;
    event = next;
    version += 1;
  }
  return { event, version };
}

/** Deletes a superseded event, unless it was deleted before. */
async function retire(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor }: Actor,
  eventId: string,
  supersededBy: string,
): Promise<void> {
  const event = await selectEvent(tx, eventId);
  if (event === null || event.deleted_at !== null) return;
  const deletedAt = await recordActivity(tx, {
    type: 'financial_event.deleted',
    actor,
    subject: uuidToId('evt', eventId),
    when: { event: formatTimestamp(event.timestamp) },
    data: { superseded_by: uuidToId('evt', supersededBy) },
  });
  await stopCounting(tx, hooks, actor, { eventId, deletedAt, successor: supersededBy });
}

/** A deleted event: UUIDs, time in ms. */
interface Deletion {
  readonly eventId: string;
  readonly deletedAt: number;
  /** What replaces it; null for nothing. */
  readonly successor: string | null;
}

/** Takes an event whose deletion was recorded out of all that counts it. */
async function stopCounting(
  tx: LedgerWriter,
  hooks: RecordHooks,
  actor: string,
  { eventId, deletedAt, successor }: Deletion,
): Promise<void> {
  await keepCounts(tx, [eventId]);
  await updateDeletedEvent(tx, eventId, deletedAt, successor);
  await hooks.eventRetired(tx, eventId);
  await leaveMovement(tx, hooks, actor, { eventId, successor });
  await hooks.causesChanged(tx, [eventId]);
  await reconsider(tx, [eventId]);
}

/**
 * Soft-deletes an event: it stops counting and stays stored. Deleting it again changes nothing.
 * @param eventId UUID
 * @throws LedgerError `not_found`
 */
export async function removeEvent(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor }: Actor,
  eventId: string,
): Promise<EventRow> {
  await lockHead(tx, 'activity');
  const event = await selectEvent(tx, eventId);
  if (event === null) throw notFound('financial event');
  if (event.deleted_at !== null) return event;
  const subject = uuidToId('evt', eventId);
  const deletedAt = await recordActivity(tx, {
    type: 'financial_event.deleted',
    actor,
    subject,
    when: { event: formatTimestamp(event.timestamp) },
  });
  await stopCounting(tx, hooks, actor, { eventId, deletedAt, successor: null });
  return { ...event, deleted_at: deletedAt, kind: 'other', standing: 'deleted' };
}
