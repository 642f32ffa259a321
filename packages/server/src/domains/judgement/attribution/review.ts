import type { LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import type { ChangedLink, LinkReview } from '../../record/hooks/index.js';
import { classifyEvent } from '../../record/money-signs/index.js';
import { readChoiceSet } from './choice-set.js';
import { addToPattern } from './store/agent-patterns.js';
import { selectSuggestedTypes, updateOpen } from './store/event-scores.js';
import { insertWaiting } from './store/events-to-score.js';
import { lockAttributionState } from './store/models.js';
import {
  insertEventReview,
  insertReview,
  type ReviewedRow,
  selectEventVerdicts,
  selectReviewed,
  selectReviewOfLink,
  selectStandingReview,
} from './store/reviews.js';
import { choiceText, type StoredChoice } from './stored-choice.js';

const DAY_MS = 86_400_000;

const COUNTS = {
  confirmed: { confirmed: 1, rejected: 0 },
  rejected: { confirmed: 0, rejected: 1 },
} as const;

const VERDICTS = { confirmed: 'cause', rejected: 'not_cause' } as const;

/**
 * Records a review, with the candidates of the event at this time, in the transaction that changes the
 * link. The event is correlated again.
 */
export async function recordReview(
  tx: LedgerWriter,
  { link_id, event_id, decision_id }: ChangedLink,
  { verdict, kind, at, answeredBy, answeredAt = at }: LinkReview,
): Promise<void> {
  const about = await selectReviewed(tx, link_id);
  if (about === null) throw new Error('the reviewed link does not exist');
  const row = { ...about, linkId: link_id, verdict, createdAt: at };
  await insertReview(tx, row);
  await addToPattern(tx, { ...about, day: Math.floor(at / DAY_MS), ...COUNTS[verdict] });
  const seen = await readChoiceSet(tx, event_id, decision_id);
  await insertEventReview(tx, {
    event_id,
    link_id,
    decision_id,
    kind,
    verdict: VERDICTS[verdict],
    event_type: about.event_type,
    choice: choiceText(withDecision(seen?.choice ?? { candidates: [] }, decision_id, about)),
    model_id: seen?.modelId ?? null,
    created_at: answeredAt,
    answered_by: answeredBy,
  });
  await updateOpen(tx, [event_id]);
  await insertWaiting(tx, [event_id]);
}

/** A decision whose features are not extracted yet is known by agent, action type and time alone. */
function withDecision(
  choice: StoredChoice,
  decisionId: string,
  { agent_id, action_type, lag_hours }: ReviewedRow,
): StoredChoice {
  if (choice.candidates.some(({ decision_id }) => decision_id === decisionId)) return choice;
  const known = { decision_id: decisionId, agent_id, action_type, hours: lag_hours };
  return { ...choice, candidates: [...choice.candidates, { ...known, features: null }] };
}

/** Whether somebody said of a link that it is right or wrong, and did not withdraw it. */
export async function isReviewed(tx: LedgerWriter, { link_id }: ChangedLink): Promise<boolean> {
  return (await selectStandingReview(tx, link_id)) !== null;
}

/**
 * Withdraws the review of a link, which then has no effect.
 * @param at ms
 */
export async function withdrawReview(
  tx: LedgerWriter,
  { link_id, event_id }: ChangedLink,
  at: number,
): Promise<void> {
  const standing = await selectStandingReview(tx, link_id);
  if (standing === null) return;
  const { confirmed, rejected } = COUNTS[standing.verdict];
  await insertReview(tx, {
    ...standing,
    linkId: link_id,
    verdict: 'withdrawn',
    createdAt: at,
  });
  await addToPattern(tx, {
    ...standing,
    day: Math.floor(standing.created_at / DAY_MS),
    confirmed: -confirmed,
    rejected: -rejected,
  });
  const seen = await selectReviewOfLink(tx, event_id, link_id);
  if (seen !== null) {
    await insertEventReview(tx, {
      ...seen,
      verdict: 'withdrawn',
      choice: choiceText({ candidates: [] }),
      created_at: at,
      answered_by: null,
    });
  }
  await insertWaiting(tx, [event_id]);
}

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
  await updateOpen(tx, [eventId]);
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
  await updateOpen(tx, [eventId]);
  await insertWaiting(tx, [eventId]);
  return true;
}

/** Lets the events (UUIDs) wait to be scored whose suggestions have another link type than the settings give. */
export async function awaitOtherTypes(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<void> {
  // As extraction does, before rows that both insert.
  await lockAttributionState(tx);
  const rows = await selectSuggestedTypes(tx, eventIds);
  if (rows.length === 0) return;
  const { attribution } = await readSettings(tx);
  const others = rows.filter((row) => {
    const { link_type, reversal } = classifyEvent(attribution, row);
    return link_type !== row.link_type || reversal !== row.reversal;
  });
  const waiting = new Set(others.map(({ event_id }) => event_id));
  await insertWaiting(tx, [...waiting]);
}
