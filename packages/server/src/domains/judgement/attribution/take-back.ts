import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { identifies } from './keep-scores.js';
import { addIdentified } from './store/attribution-states.js';
import { insertObservations } from './store/event-observations.js';
import { blankScores, type FormerScore } from './store/event-scores.js';

/** Takes back how events were scored and what they taught. The caller holds the lock on the state. */
export async function takeBackScores(
  tx: Transaction,
  scope: Scope,
  scored: readonly FormerScore[],
): Promise<void> {
  if (scored.length === 0) return;
  const taught = scored.filter(({ observation }) => observation !== null);
  const lost = taught.reduce((sum, { observation }) => sum + identifies(observation), 0);
  await insertObservations(
    tx,
    scope,
    taught.map(({ event_id }) => ({ eventId: event_id, observation: null })),
  );
  await addIdentified(tx, scope, -lost);
  await blankScores(
    tx,
    scope,
    scored.map(({ event_id }) => event_id),
  );
}
