import { sampleWeight } from '@decision-ledger/attribution/frequencies';
import { idTokens } from '@decision-ledger/attribution/hashed-features';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { addCounts, toFeatures, toHolding } from './extract.js';
import { unpackFeatures } from './rules/packed-features.js';
import { countErasure, lockAttributionState } from './store/attribution-states.js';
import { insertFeatures, selectDecisionFields, selectFeatures } from './store/decision-features.js';
import { deleteDecisionTokens, insertDecisionTokens } from './store/decision-tokens.js';
import { selectEventsOf } from './store/event-scores.js';
import { deleteTokensOfEvents } from './store/event-tokens.js';
import { insertWaiting } from './store/events-to-score.js';
import { addFrequencies, deleteFrequencies } from './store/token-frequencies.js';
import { takeBackScores } from './take-back.js';

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
  const features = toFeatures(tx.scope, row, counts);
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
