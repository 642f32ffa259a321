import type { Liability } from '@decision-ledger/contract/liability';
import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { describeEstimate } from './describe.js';
import { selectEstimates } from './store/select-estimates.js';

/**
 * The estimate that holds, of the decision at a place in the chain; null where it was recorded
 * before there were estimates, and the worker has not come to it yet.
 */
export async function readLiability(
  db: Queryable,
  scope: Scope,
  seq: number,
): Promise<Liability | null> {
  const [newest] = await selectEstimates(db, scope, seq, null, 1);
  return newest === undefined ? null : describeEstimate(newest);
}

/**
 * All estimates of a decision, newest first.
 * @param before only revisions below; null for all
 */
export async function listEstimates(
  db: Queryable,
  scope: Scope,
  seq: number,
  before: number | null,
  limit: number,
): Promise<Liability[]> {
  const rows = await selectEstimates(db, scope, seq, before, limit);
  return rows.map(describeEstimate);
}
