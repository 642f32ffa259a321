import type { Liability } from '@decision-ledger/contract/liability';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, pageOf } from '../../../platform/page.js';
import { describeEstimate } from './describe.js';
import { selectCurrentEstimates, selectEstimates } from './store/estimates.js';
import { selectCurrency } from './store/liability-states.js';

/** The current estimate of a decision; null if its row is missing. */
export async function readLiability(ledger: LedgerReader, seq: number): Promise<Liability | null> {
  const [newest] = await selectEstimates(ledger, seq, null, 1);
  return newest === undefined ? null : describeEstimate(newest);
}

/** The current estimates of several decisions, by seq. */
export async function readLiabilities(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<Map<number, Liability>> {
  const rows = await selectCurrentEstimates(ledger, seqs);
  return new Map(rows.map(({ seq, ...row }) => [seq, describeEstimate(row)]));
}

/**
 * The currency of all estimates of a ledger; null while a change of the base currency is in progress, so
 * that they cannot be summed.
 * @param base currency of the settings, returned if there is no estimate yet
 */
export async function readEstimateCurrency(
  ledger: LedgerReader,
  base: string,
): Promise<string | null> {
  const [state] = await selectCurrency(ledger);
  return state === undefined ? base : state.currency;
}

/**
 * All estimates of a decision, newest first.
 * @param before returns only lower revisions; null returns all
 */
export async function listEstimates(
  ledger: LedgerReader,
  seq: number,
  before: number | null,
  limit: number,
): Promise<PageRows<Liability>> {
  const found = await selectEstimates(ledger, seq, before, limit + 1);
  return mapPage(pageOf(found, limit), describeEstimate);
}
