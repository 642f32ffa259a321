import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { addCounts, toFeatures, toHolding } from './extract.js';
import { idTokens } from './rules/hashed.js';
import { unpackFeatures } from './rules/packed.js';
import { sampleWeight } from './rules/sample.js';
import { countErasure, lockState } from './store/attribution-states.js';
import { insertFeatures, selectFeatures, selectNewDecisions } from './store/decision-features.js';
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
  tx: Transaction,
  scope: Scope,
  seq: number,
  change: () => Promise<void>,
): Promise<void> {
  await lockState(tx, scope);
  const before = await selectFeatures(tx, scope, seq);
  await change();
  if (before === null) return;
  await countErasure(tx, scope);
  const { rows } = await selectNewDecisions(tx, scope, seq - 1, 1);
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no decision at ${seq}`);
  const former = unpackFeatures(before);
  const counts = new Map<number, number>();
  addCounts(counts, former, -sampleWeight(row.seq, row.decision_id));
  const features = toFeatures(scope, row, counts);
  await insertFeatures(tx, scope, [features]);
  const { timestamp } = row;
  const tokens = idTokens(former);
  await deleteDecisionTokens(tx, scope, { seq, timestamp, tokens });
  await insertDecisionTokens(tx, scope, [toHolding(features)]);
  const scored = await selectEventsOf(tx, scope, row.decision_id);
  await takeBackScores(tx, scope, scored);
  const events = scored.map(({ event_id }) => event_id);
  await deleteTokensOfEvents(tx, scope, tokens, events);
  await insertWaiting(tx, scope, events);
  const changed = new Map([...counts].filter(([, count]) => count !== 0));
  if (changed.size === 0) return;
  await addFrequencies(tx, scope, changed);
  await deleteFrequencies(tx, scope, [...changed.keys()]);
}
