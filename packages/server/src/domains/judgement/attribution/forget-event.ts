import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { lockState } from './store/attribution-states.js';
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
export async function forgetEvent(tx: Transaction, scope: Scope, eventId: string): Promise<void> {
  await lockState(tx, scope);
  await deleteWaiting(tx, scope, [eventId]);
  const scored = await selectFormerScores(tx, scope, [eventId]);
  if (scored.length === 0) return;
  await takeBackScores(tx, scope, scored);
  await deleteEventTokens(tx, scope, eventId);
  const stratum = await removeFromFrame(tx, scope, eventId);
  if (stratum !== null) await addToStratum(tx, scope, stratum, -1);
}
