import type { Liability } from '@decision-ledger/contract/liability';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, pageOf } from '../../../platform/page.js';
import { describeEstimate, shownFigures } from './describe.js';
import { readMakeable, withoutStored } from './first-estimates.js';
import type { OwnFigures } from './store/estimate-columns.js';
import { selectCurrentEstimates, selectEstimates } from './store/estimates.js';
import { selectCurrency } from './store/liability-states.js';

/** The current estimate of a decision; null if there is no such decision, or if it cannot be made. */
export async function readLiability(ledger: LedgerReader, seq: number): Promise<Liability | null> {
  return (await readLiabilities(ledger, [seq])).get(seq) ?? null;
}

/** The current estimates of several decisions, by seq. One that cannot be made is left out. */
export async function readLiabilities(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<Map<number, Liability>> {
  const rows = await selectCurrentEstimates(ledger, seqs);
  const missing = await readMakeable(ledger, withoutStored(seqs, rows));
  return new Map([
    ...rows.map(({ seq, ...row }) => [seq, describeEstimate(row)] as const),
    ...missing.map(({ seq, estimate }) => [seq, describeEstimate(estimate)] as const),
  ]);
}

/** What decisions are expected to cost, as it is shown, by seq: decimal text. */
export async function readExposures(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<Map<number, OwnFigures>> {
  const firsts = await readMakeable(ledger, seqs);
  return new Map(firsts.map(({ seq, estimate }) => [seq, shownFigures(estimate)]));
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
  if (found.length > 0 || before !== null) return mapPage(pageOf(found, limit), describeEstimate);
  const [first] = await readMakeable(ledger, [seq]);
  return { rows: first === undefined ? [] : [describeEstimate(first.estimate)], hasMore: false };
}
