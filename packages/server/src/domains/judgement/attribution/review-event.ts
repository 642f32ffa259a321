import type { LedgerWriter } from '../../../platform/ledger.js';
import { readChoiceSet } from './choice-set.js';
import { insertEventReview, selectEventVerdicts } from './store/event-reviews.js';
import { updateOpen } from './store/event-scores.js';
import { insertWaiting } from './store/events-to-score.js';
import { choiceText } from './stored-choice.js';

/** What a person says of an event as a whole. */
export interface EventAnswer {
  readonly verdict: 'none' | 'skipped';
  /** ms. */
  readonly at: number;
  readonly answeredBy: string;
}

/**
 * Records that no recorded decision caused an event, or that somebody could not tell: the event leaves
 * the review queue. The caller holds the lock on the head of activity.
 * @param eventId UUID
 */
export async function recordEventVerdict(
  tx: LedgerWriter,
  eventId: string,
  { verdict, at, answeredBy }: EventAnswer,
): Promise<void> {
  await withdrawEventVerdict(tx, eventId, at);
  const seen = await readChoiceSet(tx, eventId, null);
  if (seen === null) throw new Error('the reviewed event does not exist');
  await insertEventReview(tx, {
    event_id: eventId,
    link_id: null,
    decision_id: null,
    kind: seen.choice.audit_probability === undefined ? 'review' : 'audit',
    verdict,
    event_type: seen.eventType,
    choice: choiceText(seen.choice),
    model_id: seen.modelId,
    created_at: at,
    answered_by: answeredBy,
  });
  await updateOpen(tx, eventId);
  await insertWaiting(tx, [eventId]);
}

/**
 * Takes back what was said of an event as a whole.
 * @param eventId UUID
 * @param at ms
 * @returns false if nothing was said
 */
export async function withdrawEventVerdict(
  tx: LedgerWriter,
  eventId: string,
  at: number,
): Promise<boolean> {
  const standing = await selectEventVerdicts(tx, [eventId]);
  const last = standing.at(-1);
  if (last === undefined) return false;
  const choice = choiceText({ candidates: [] });
  await insertEventReview(tx, {
    ...last,
    ...{ verdict: 'withdrawn', choice, created_at: at, answered_by: null },
  });
  await updateOpen(tx, eventId);
  await insertWaiting(tx, [eventId]);
  return true;
}
