import type { Review, ReviewBody } from '@decision-ledger/contract/review';
import { REVIEWERS } from '@decision-ledger/demo/people';
import { SeededRandom } from '@decision-ledger/demo/random';
import { openSession, usableCredentials } from '../../domains/access/sessions/index.js';
import { answerReview, listReviews } from '../../domains/judgement/reviews/index.js';
import { reviewLink } from '../../domains/record/links/index.js';
import type { LedgerWriter } from '../../platform/ledger.js';
import type { Principal } from '../../platform/principal.js';
import type { Preparation } from './record-acts.js';

const MINUTE = 60_000;
/** Answers in one transaction. */
const STEP = 10;
/** How often a person cannot tell, of all answers. */
const SKIPPED = 0.04;

export interface ReviewSession {
  /** The key that opens the session. */
  readonly key: Principal;
  readonly seed: string;
  /** How many events are reviewed at most. */
  readonly most: number;
}

/** A person of the finance team reviews the first events of the queue, and knows what caused each. */
export async function reviewQueue(
  preparation: Preparation,
  { key, seed, most }: ReviewSession,
): Promise<void> {
  const { service, time } = preparation;
  const random = new SeededRandom(`${seed} review ${time.now()}`);
  const reviewer = await signIn(preparation, key, random.pick(REVIEWERS));
  const slice = { after: null, limit: most };
  const { rows } = await listReviews(service.db.ledger(key.scope), {}, slice);
  for (let from = 0; from < rows.length; from += STEP) {
    const reviews = rows.slice(from, from + STEP).map(({ review }) => review);
    await service.db.ledger(reviewer.scope).write(async (tx) => {
      for (const review of reviews) {
        time.moveTo(time.now() + random.between(0.2, 1) * MINUTE);
        await answer(tx, preparation, reviewer, { review, random });
      }
    });
  }
}

async function signIn(
  { service, importer }: Preparation,
  key: Principal,
  name: string,
): Promise<Principal> {
  const { db } = service;
  const { session_id } = await db
    .ledger(key.scope)
    .write((tx) => openSession(tx, key, { name, permissions: ['read', 'review'] }));
  const found = await usableCredentials(db.ledger(importer.scope), [session_id]);
  const principal = found.get(session_id);
  if (principal === undefined) throw new Error('the session of a reviewer cannot be used');
  return principal;
}

interface Case {
  readonly review: Review;
  readonly random: SeededRandom;
}

async function answer(
  tx: LedgerWriter,
  { service, decisions, causes }: Preparation,
  reviewer: Principal,
  { review, random }: Case,
): Promise<void> {
  const { id } = review.financial_event;
  const cause = causes.get(id) ?? null;
  const decision_id = cause === null ? undefined : decisions.get(cause);
  if (random.chance(SKIPPED)) {
    await answerReview(tx, service.hooks, reviewer, id, { skip: true });
    return;
  }
  if (decision_id !== undefined) {
    // A wrong suggestion is rejected before the right decision is named.
    for (const { link_id, decision_id: suggested } of review.candidates) {
      if (link_id === undefined || suggested === decision_id) continue;
      await reviewLink(tx, service.hooks, reviewer, link_id, 'reject');
    }
  }
  const body: ReviewBody = decision_id === undefined ? { none: true } : { decision_id };
  await answerReview(tx, service.hooks, reviewer, id, body);
}
