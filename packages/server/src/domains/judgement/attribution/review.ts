import type { Transaction } from '../../../platform/database.js';
import type { IdFactory } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { addToPattern } from './store/agent-patterns.js';
import { updateWaiting } from './store/financial-events.js';
import { insertReview, selectReviewed, selectStandingReview } from './store/link-reviews.js';

/** A link that was made, reviewed or deleted by a person. */
export interface ReviewedLink {
  /** UUID. */
  readonly link_id: string;
  /** UUID. */
  readonly event_id: string;
}

const DAY_MS = 86_400_000;

const COUNTS = {
  confirmed: { confirmed: 1, rejected: 0 },
  rejected: { confirmed: 0, rejected: 1 },
} as const;

/**
 * Records a review in the transaction that changes the link. The event is correlated again.
 * @param at ms
 */
export async function recordReview(
  ids: IdFactory,
  tx: Transaction,
  scope: Scope,
  { link_id, event_id }: ReviewedLink,
  verdict: 'confirmed' | 'rejected',
  at: number,
): Promise<void> {
  const about = await selectReviewed(tx, scope, link_id);
  if (about === null) throw new Error('the reviewed link does not exist');
  const row = { ...about, reviewId: ids.uuid(), linkId: link_id, verdict, createdAt: at };
  await insertReview(tx, scope, row);
  await addToPattern(tx, scope, { ...about, day: Math.floor(at / DAY_MS), ...COUNTS[verdict] });
  await updateWaiting(tx, scope, event_id);
}

/**
 * Withdraws the review of a link, which then has no effect.
 * @param at ms
 * @returns false for a link without a review
 */
export async function withdrawReview(
  ids: IdFactory,
  tx: Transaction,
  scope: Scope,
  { link_id, event_id }: ReviewedLink,
  at: number,
): Promise<boolean> {
  const standing = await selectStandingReview(tx, scope, link_id);
  if (standing === null) return false;
  const { confirmed, rejected } = COUNTS[standing.verdict];
  await insertReview(tx, scope, {
    ...standing,
    reviewId: ids.uuid(),
    linkId: link_id,
    verdict: 'withdrawn',
    createdAt: at,
  });
  await addToPattern(tx, scope, {
    ...standing,
    day: Math.floor(standing.created_at / DAY_MS),
    confirmed: -confirmed,
    rejected: -rejected,
  });
  await updateWaiting(tx, scope, event_id);
  return true;
}
