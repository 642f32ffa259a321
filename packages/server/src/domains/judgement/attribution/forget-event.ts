import { hastenDue } from '../../../platform/followers/due-work.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { lockAttributionState, SUGGESTION_QUALITY } from './store/attribution-states.js';
import { removeFromFrame } from './store/audit-draw.js';
import { addToStratum } from './store/audit-strata.js';
import { selectFormerScores } from './store/event-scores.js';
import { deleteEventTokens } from './store/event-tokens.js';
import { deleteWaiting } from './store/events-to-score.js';
import { takeBackScores } from './take-back.js';

/**
 * Takes a deleted event (UUID) out of what waits to be scored, of the review queue, of the audits and of what
 * models learn from, in the transaction that deletes it. The lock on the state keeps out an extraction that
 * still sees the event.
 */
export async function forgetEvent(tx: LedgerWriter, eventId: string): Promise<void> {
  await lockAttributionState(tx);
  await deleteWaiting(tx, eventId);
  const scored = await selectFormerScores(tx, [eventId]);
  if (scored.length === 0) return;
  await takeBackScores(tx, scored);
  await deleteEventTokens(tx, eventId);
  const stratum = await removeFromFrame(tx, eventId);
  if (stratum === null) return;
  await addToStratum(tx, stratum, -1);
  await hastenDue(tx, SUGGESTION_QUALITY, tx.ledgerId);
}
