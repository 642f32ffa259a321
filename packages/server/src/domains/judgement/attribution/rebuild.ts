import { sampleWeight } from '@decision-ledger/attribution/frequencies';
import { idTokens } from '@decision-ledger/attribution/hashed-features';
import { hastenDue } from '../../../platform/followers/due-work.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { dropSuggestions } from '../../record/links/index.js';
import { addCounts, readingOf, toFeatures, toHolding } from './extract.js';
import { identifiesCause } from './keep-scores.js';
import { unpackFeatures } from './rules/packed-features.js';
import { addToStrata, removeFromFrame } from './store/audits.js';
import { insertFeatures, selectDecisionFields, selectFeatures } from './store/decision-features.js';
import {
  blankScores,
  type FormerScore,
  insertObservations,
  selectEventsOf,
  selectFormerScores,
  updateOpen,
} from './store/event-scores.js';
import { deleteWaiting, insertWaiting } from './store/events-to-score.js';
import {
  addIdentified,
  countErasure,
  lockAttributionState,
  SUGGESTION_QUALITY,
} from './store/models.js';
import {
  addFrequencies,
  deleteDecisionTokens,
  deleteEventTokens,
  deleteFrequencies,
  deleteTokensOfEvents,
  insertDecisionTokens,
} from './store/tokens.js';

/**
 * Extracts the features of a decision again after a change, which must delete the former ones. A
 * decision that was not extracted yet is left to the next extraction; the lock keeps the two apart.
 * Events that had it among their candidates are scored again, and suggestions based on the former
 * features are not written.
 * @param seq position of the decision in the chain
 */
export async function rebuildFeatures(
  tx: LedgerWriter,
  seq: number,
  change: () => Promise<void>,
): Promise<void> {
  await lockAttributionState(tx);
  const before = await selectFeatures(tx, seq);
  await change();
  if (before === null) return;
  await countErasure(tx);
  const { rows } = await selectDecisionFields(tx, seq - 1, seq);
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no decision at ${seq}`);
  const former = unpackFeatures(before);
  const counts = new Map<number, number>();
  addCounts(counts, former, -sampleWeight(row.seq, row.decision_id));
  const features = toFeatures(readingOf(tx.scope, await readSettings(tx)), row, counts);
  await insertFeatures(tx, [features]);
  const { timestamp } = row;
  const tokens = idTokens(former);
  await deleteDecisionTokens(tx, { seq, timestamp, tokens });
  await insertDecisionTokens(tx, [toHolding(features)]);
  const scored = await selectEventsOf(tx, row.decision_id);
  await takeBackScores(tx, scored);
  const events = scored.map(({ event_id }) => event_id);
  await deleteTokensOfEvents(tx, tokens, events);
  await insertWaiting(tx, events);
  const changed = new Map([...counts].filter(([, count]) => count !== 0));
  if (changed.size === 0) return;
  await addFrequencies(tx, changed);
  await deleteFrequencies(tx, [...changed.keys()]);
}

/** Takes back how events were scored and what they taught. The caller holds the lock on the state. */
async function takeBackScores(tx: LedgerWriter, scored: readonly FormerScore[]): Promise<void> {
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

/**
 * Suggests links for the reports (UUIDs) that lead their movements, and for no witness, in the transaction that changes the
 * movements.
 */
export async function followMovements(
  tx: LedgerWriter,
  {
    leads,
    witnesses,
  }: { readonly leads: readonly string[]; readonly witnesses: readonly string[] },
): Promise<void> {
  await dropSuggestions(tx, witnesses);
  for (const eventId of witnesses) await forgetEvent(tx, eventId);
  await updateOpen(tx, leads);
  await insertWaiting(tx, leads);
}

/**
 * Takes a deleted event (UUID), or one that became a witness, out of what waits to be scored, of the review queue, of the
 * audits and of what models learn from, in the transaction that does it. The lock on the state keeps out an extraction that
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
  await addToStrata(tx, [{ ...stratum, events: -1 }]);
  await hastenDue(tx, SUGGESTION_QUALITY, [tx.ledgerId]);
}
