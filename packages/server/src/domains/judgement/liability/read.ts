import type { Liability } from '@decision-ledger/contract/liability';
import type { Queryable } from '../../../platform/database.js';
import { mapPage, type PageRows, pageOf } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { describeEstimate } from './describe.js';
import { selectEstimates, selectStandingEstimates } from './store/estimates.js';
import { selectCurrency } from './store/liability-states.js';

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

/** The same for many places at once. */
export async function readLiabilities(
  db: Queryable,
  scope: Scope,
  seqs: readonly number[],
): Promise<Map<number, Liability>> {
  const rows = await selectStandingEstimates(db, scope, seqs);
  return new Map(rows.map(({ seq, ...row }) => [seq, describeEstimate(row)]));
}

/**
 * The currency that all estimates of a ledger are in; null while a change of the base currency has
 * reached some of them only, and no sum of them means anything.
 * @param base that of the settings, which holds where nothing was estimated yet
 */
export async function readEstimateCurrency(
  db: Queryable,
  scope: Scope,
  base: string,
): Promise<string | null> {
  const [state] = await selectCurrency(db, scope);
  return state === undefined ? base : state.currency;
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
): Promise<PageRows<Liability>> {
  const found = await selectEstimates(db, scope, seq, before, limit + 1);
  return mapPage(pageOf(found, limit), describeEstimate);
}
