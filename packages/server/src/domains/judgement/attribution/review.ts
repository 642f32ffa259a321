import type { LedgerWriter } from '../../../platform/ledger.js';
import type { ChangedLink, LinkReview } from '../../record/hooks/index.js';
import { readChoiceSet } from './choice-set.js';
import { addToPattern } from './store/agent-patterns.js';
import { insertEventReview, selectReviewOfLink } from './store/event-reviews.js';
import { updateOpen } from './store/event-scores.js';
import { insertWaiting } from './store/events-to-score.js';
import {
  insertReview,
  type ReviewedRow,
  selectReviewed,
  selectStandingReview,
} from './store/link-reviews.js';
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
  await updateOpen(tx, event_id);
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
