import type { ReviewAnswer, ReviewBody } from '@decision-ledger/contract/review';
import { lockHead } from '../../../platform/chain/head.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { readDecision } from '../../record/decisions/index.js';
import { readEvent } from '../../record/financial-events/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { previewEffect } from '../../record/links/index.js';
import { answerReview } from './answer.js';

/**
 * Carries an answer out and undoes it: nothing is stored, recorded or announced.
 * @returns the answer with its effect on the money and the exposure
 * @throws as `answerReview`
 */
export async function previewAnswer(
  ledger: Ledger,
  hooks: RecordHooks,
  principal: Actor,
  id: string,
  body: ReviewBody,
): Promise<ReviewAnswer> {
  const { result, effect } = await previewEffect(ledger, hooks, {
    lock: async (tx) => {
      await lockHead(tx, 'activity');
      const { event_id } = await readEvent(tx, id);
      return { eventId: event_id, seqs: await seqsOf(tx, body) };
    },
    carryOut: (tx) => answerReview(tx, hooks, principal, id, body),
  });
  return { ...result, dry_run: effect };
}

/** A decision that is no suggestion has no share of the event yet. */
async function seqsOf(tx: LedgerWriter, { decision_id }: ReviewBody): Promise<number[]> {
  if (decision_id === undefined) return [];
  return [(await readDecision(tx, decision_id)).seq];
}
