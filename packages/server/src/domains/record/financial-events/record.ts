import type { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import type { Transaction } from '../../../platform/database.js';
import { type IdFactory, uuidToId } from '../../../platform/ids.js';
import type { Actor } from '../../../platform/principal.js';
import type { Scope } from '../../../platform/scope.js';
import { type RecalculateTools, recalculate } from '../../judgement/liability/index.js';
import type { RecordActivity } from '../../log/activity/index.js';
import { prepareEvent } from './rules/prepare.js';
import {
  type EventRow,
  insertEvent,
  selectEvent,
  selectEventByOrigin,
  updateDeleted,
} from './store/financial-events.js';

export interface EventTools extends RecalculateTools {
  readonly ids: IdFactory;
  readonly recordActivity: RecordActivity;
}

/** What an event is made from, other than a caller's request. */
export interface Lineage {
  /** Names the thing it is made from, for ever: of one origin there is one event. */
  readonly origin?: string;
  /** UUID of the event that it takes the place of, which stops counting. */
  readonly supersedes?: string;
}

/** @throws LedgerError `validation_error` */
export async function recordEvent(
  tools: EventTools,
  tx: Transaction,
  actor: Actor,
  body: FinancialEventBody,
  { origin, supersedes }: Lineage = {},
): Promise<EventRow> {
  const { scope } = actor;
  const event = prepareEvent(body);
  const eventId = tools.ids.uuid();
  const createdAt = await tools.recordActivity(tx, scope, {
    type: 'financial_event.recorded',
    actor: actor.actor,
    subject: uuidToId('evt', eventId),
    data: {
      ...event.body,
      ...(supersedes !== undefined && { supersedes: uuidToId('evt', supersedes) }),
    },
  });
  const place = { eventId, origin: origin ?? null, supersedes: supersedes ?? null, createdAt };
  await insertEvent(tx, scope, event, place);
  if (supersedes !== undefined) await retire(tools, tx, actor, supersedes, eventId);
  const { source, event_type, amount, currency, external_id, description } = event.body;
  return {
    event_id: eventId,
    ...{ source, event_type, amount, currency, external_id: external_id ?? null },
    ...{ timestamp: event.timestamp, description: description ?? null, metadata: event.metadata },
    ...{ supersedes: place.supersedes, superseded_by: null },
    ...{ created_at: createdAt, deleted_at: null },
  };
}

export interface Version {
  readonly event: EventRow;
  /** From 0. */
  readonly version: number;
}

/** The newest event of an origin: where one was superseded, the one that took its place. */
export async function findLatestVersion(
  tx: Transaction,
  scope: Scope,
  origin: string,
): Promise<Version | null> {
  let event = await selectEventByOrigin(tx, scope, origin);
  if (event === null) return null;
  let version = 0;
  while (event.superseded_by !== null) {
    const next: EventRow | null = await selectEvent(tx, scope, event.superseded_by);
    if (next === null) break;
    event = next;
    version += 1;
  }
  return { event, version };
}

/** An event that was deleted before stays deleted since then. */
async function retire(
  tools: EventTools,
  tx: Transaction,
  { scope, actor }: Actor,
  eventId: string,
  supersededBy: string,
): Promise<void> {
  const event = await selectEvent(tx, scope, eventId);
  if (event === null || event.deleted_at !== null) return;
  const deletedAt = await tools.recordActivity(tx, scope, {
    type: 'financial_event.deleted',
    actor,
    subject: uuidToId('evt', eventId),
    data: { superseded_by: uuidToId('evt', supersededBy) },
  });
  await updateDeleted(tx, scope, eventId, deletedAt, supersededBy);
  await recalculate(tools, tx, scope, [eventId]);
}
