import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { addCounts, toFeatures } from './extract.js';
import { unpackFeatures } from './rules/v1/hashed.js';
import { sampleWeight } from './rules/sample.js';
import { countErasure, lockState } from './store/attribution-states.js';
import { insertFeatures, selectFeatures, selectNewDecisions } from './store/decision-features.js';
import { addFrequencies, deleteFrequencies } from './store/token-frequencies.js';

/**
 * Extracts the features of a decision again after a change, which must delete the former ones. A
 * decision that was not extracted yet is left to the next extraction; the lock keeps the two apart.
 * Suggestions based on the former features are not written.
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
  const counts = new Map<number, number>();
  addCounts(counts, unpackFeatures(before), -sampleWeight(row.seq, row.decision_id));
  await insertFeatures(tx, scope, [toFeatures(scope, row, counts)]);
  const changed = new Map([...counts].filter(([, count]) => count !== 0));
  if (changed.size === 0) return;
  await addFrequencies(tx, scope, changed);
  await deleteFrequencies(tx, scope, [...changed.keys()]);
}
