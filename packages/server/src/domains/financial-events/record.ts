import type { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { lockHead } from '../../platform/chain/lock-head.js';
import type { Transaction } from '../../platform/database.js';
import { type IdFactory, uuidToId } from '../../platform/ids.js';
import type { Actor } from '../../platform/principal.js';
import type { Scope } from '../../platform/scope.js';
import type { RecordActivity } from '../activity/index.js';
import { prepareEvent } from './rules/prepare.js';
import type { EventRow } from './store/event-row.js';
import { insertEvent } from './store/insert-event.js';
import { selectEvent } from './store/select-event.js';
import { selectEventByOrigin } from './store/select-event-by-origin.js';
import { updateDeleted } from './store/update-deleted.js';

export interface EventTools {
  readonly ids: IdFactory;
  readonly recordActivity: RecordActivity;
}

/** Where an event that no caller sent comes from. */
export interface Lineage {
  /** Names the thing it is made from, for ever: of one origin there is one event. */
  readonly origin: string;
  /** UUID of the event that it takes the place of. */
  readonly supersedes?: string;
}

/** Records an event that a caller sent. */
export async function recordEvent(
  tools: EventTools,
  tx: Transaction,
  actor: Actor,
  body: FinancialEventBody,
): Promise<EventRow> {
  return append(tools, tx, actor, body, null);
}

/**
 * Records an event read elsewhere, once: what its origin was made into before is returned as it is.
 * An event that it supersedes stops counting in the same transaction.
 * @throws LedgerError `validation_error`
 */
export async function recordEventOnce(
  tools: EventTools,
  tx: Transaction,
  actor: Actor,
  body: FinancialEventBody,
  lineage: Lineage,
): Promise<EventRow> {
  await lockHead(tx, actor.scope, 'activity');
  const earlier = await selectEventByOrigin(tx, actor.scope, lineage.origin);
  if (earlier !== null) return earlier;
  const recorded = await append(tools, tx, actor, body, lineage);
  if (lineage.supersedes !== undefined) {
    await retire(tools, tx, actor, lineage.supersedes, recorded.event_id);
  }
  return recorded;
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
  { recordActivity }: EventTools,
  tx: Transaction,
  { scope, actor }: Actor,
  eventId: string,
  supersededBy: string,
): Promise<void> {
  const event = await selectEvent(tx, scope, eventId);
  if (event === null || event.deleted_at !== null) return;
  const deletedAt = await recordActivity(tx, scope, {
    type: 'financial_event.deleted',
    actor,
    subject: uuidToId('evt', eventId),
    data: { superseded_by: uuidToId('evt', supersededBy) },
  });
  await updateDeleted(tx, scope, eventId, deletedAt, supersededBy);
}

async function append(
  tools: EventTools,
  tx: Transaction,
  { scope, actor }: Actor,
  body: FinancialEventBody,
  lineage: Lineage | null,
): Promise<EventRow> {
  const event = prepareEvent(body);
  const eventId = tools.ids.uuid();
  const supersedes = lineage?.supersedes ?? null;
  const origin = lineage?.origin ?? null;
  const createdAt = await tools.recordActivity(tx, scope, {
    type: 'financial_event.recorded',
    actor,
    subject: uuidToId('evt', eventId),
    data: {
      ...event.body,
      ...(supersedes !== null && { supersedes: uuidToId('evt', supersedes) }),
    },
  });
  await insertEvent(tx, scope, event, { eventId, origin, supersedes, createdAt });
  const { source, event_type, amount, currency, external_id, description } = event.body;
  return {
    event_id: eventId,
    ...{ source, event_type, amount, currency, external_id: external_id ?? null },
    ...{ timestamp: event.timestamp, description: description ?? null, metadata: event.metadata },
    ...{ supersedes, superseded_by: null, created_at: createdAt, deleted_at: null },
  };
}
