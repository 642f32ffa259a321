import type { ReviewAnswer, ReviewBody } from '@decision-ledger/contract/review';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Transaction } from '../../../platform/database.js';
import type { Actor } from '../../../platform/principal.js';
import { readDecision } from '../../record/decisions/index.js';
import { readEvent } from '../../record/financial-events/index.js';
import { type PreviewTools, previewEffect } from '../../record/links/index.js';
import { answerReview } from './answer.js';

/**
 * Carries an answer out and undoes it: nothing is stored, recorded or announced.
 * @returns the answer with its effect on the money and the exposure
 * @throws as `answerReview`
 */
export async function previewAnswer(
  tools: PreviewTools,
  principal: Actor,
  id: string,
  body: ReviewBody,
): Promise<ReviewAnswer> {
  const { scope } = principal;
  const { result, effect } = await previewEffect(tools, scope, {
    lock: async (tx) => {
      await lockHead(tx, scope, 'activity');
      const { event_id } = await readEvent(tx, scope, id);
      return { eventId: event_id, seqs: await seqsOf(tx, principal, body) };
    },
    carryOut: (tx) => answerReview(tools, tx, principal, id, body),
  });
  return { ...result, dry_run: effect };
}

/** A decision that is no suggestion has no share of the event yet. */
async function seqsOf(
  tx: Transaction,
  { scope }: Actor,
  { decision_id }: ReviewBody,
): Promise<number[]> {
  if (decision_id === undefined) return [];
  return [(await readDecision(tx, scope, decision_id)).seq];
}
