import type { Liability } from '@decision-ledger/contract/liability';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, pageOf, type Slice } from '../../../platform/page.js';
import { describeEstimate, shownFigures } from './describe.js';
import { readMakeable, withoutStored } from './first-estimates.js';
import { storedUntil } from './known-estimates.js';
import type { OwnFigures } from './store/estimate-columns.js';
import { selectCurrentEstimates, selectEstimates } from './store/estimates.js';
import { selectCurrency } from './store/liability-states.js';

/** The current estimate of a decision; null if there is no such decision, or if it cannot be made. */
export async function readLiability(ledger: Ledger, seq: number): Promise<Liability | null> {
  return (await readLiabilities(ledger, [seq])).get(seq) ?? null;
}

/** The current estimates of several decisions, by seq. One that is lost or cannot be made is left out. */
export async function readLiabilities(
  ledger: Ledger,
  seqs: readonly number[],
): Promise<Map<number, Liability>> {
  const rows = await selectCurrentEstimates(ledger, seqs);
  const missing = withoutStored(seqs, rows);
  const others = missing.length === 0 ? [] : await ledger.read((one) => readCurrent(one, missing));
  return new Map([...rows, ...others].map(({ seq, ...row }) => [seq, describeEstimate(row)]));
}

/** @param snapshot one snapshot for all statements: an estimate may be stored, and fields erased, between two of them */
async function readCurrent(snapshot: LedgerReader, seqs: readonly number[]) {
  const rows = await selectCurrentEstimates(snapshot, seqs);
  const firsts = await readUnstored(snapshot, withoutStored(seqs, rows));
  return [...rows, ...firsts.map(({ seq, estimate }) => ({ seq, ...estimate }))];
}

/** What is missing although all estimates were stored is lost: it may have been revised. */
async function readUnstored(snapshot: LedgerReader, seqs: readonly number[]) {
  const until = await storedUntil(snapshot);
  return readMakeable(
    snapshot,
    seqs.filter((seq) => seq > until),
  );
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

/** All estimates of a decision by revision, newest first. */
export async function listEstimates(
  ledger: Ledger,
  seq: number,
  { after, limit }: Slice<number>,
): Promise<PageRows<Liability>> {
  const found = await selectEstimates(ledger, seq, { after, limit: limit + 1 });
  if (found.length > 0 || after !== null) return mapPage(pageOf(found, limit), describeEstimate);
  return ledger.read(async (snapshot) => {
    const stored = await selectEstimates(snapshot, seq, { after, limit: limit + 1 });
    const firsts = stored.length > 0 ? [] : await readUnstored(snapshot, [seq]);
    return mapPage(
      pageOf([...stored, ...firsts.map(({ estimate }) => estimate)], limit),
      describeEstimate,
    );
  });
}
