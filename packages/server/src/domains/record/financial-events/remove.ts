import { notFound } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { type EventRow, selectEvent, updateDeletedEvent } from './store/financial-events.js';

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
  await updateDeletedEvent(tx, eventId, deletedAt, null);
  await hooks.eventRetired(tx, eventId);
  return { ...event, deleted_at: deletedAt };
}
