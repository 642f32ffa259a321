import type { LedgerWriter } from '../../../platform/ledger.js';
import { identifiesCause } from './keep-scores.js';
import { addIdentified } from './store/attribution-states.js';
import { insertObservations } from './store/event-observations.js';
import { blankScores, type FormerScore } from './store/event-scores.js';

/** Takes back how events were scored and what they taught. The caller holds the lock on the state. */
export async function takeBackScores(
  tx: LedgerWriter,
  scored: readonly FormerScore[],
): Promise<void> {
  if (scored.length === 0) return;
  const taught = scored.filter(({ observation }) => observation !== null);
  const lost = taught.reduce((sum, { observation }) => sum + identifiesCause(observation), 0);
  await insertObservations(
    tx,
    taught.map(({ event_id }) => ({ eventId: event_id, observation: null })),
  );
  await addIdentified(tx, -lost);
  await blankScores(
    tx,
    scored.map(({ event_id }) => event_id),
  );
}
