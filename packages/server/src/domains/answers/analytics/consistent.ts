import { formatTimestamp } from '@decision-ledger/contract/time';
import { readChain } from '../../../platform/chain/head.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import {
  isUnmoved,
  type KnownEstimates,
  readEstimateCurrency,
  readKnownEstimates,
  readStoredEstimates,
} from '../../judgement/liability/index.js';
import { exposureRounder, type RoundExposure } from './rules/money.js';
import type { MoneySettings } from './store/conditions.js';

/** The state of a ledger that figures are of. */
export interface State {
  /** RFC 3339. */
  readonly as_of: string;
  /** Of the last record of the activity chain. */
  readonly activity_seq: number;
  readonly activity_hash: string;
}

/**
 * Reads figures by several statements that see one state. Each change of money, rates and settings is
 * recorded in the activity chain: while its head is the same, nothing has changed. If it moves, all is
 * read again in one snapshot, which is slower.
 */
export async function readConsistent<Result>(
  ledger: Ledger,
  read: (ledger: LedgerReader) => Promise<Result>,
): Promise<{ readonly state: State; readonly result: Result }> {
  const state = await readState(ledger);
  const result = await read(ledger);
  const after = await readState(ledger);
  if (after.activity_seq === state.activity_seq) return { state, result };
  return readSnapshot(ledger, read);
}

/** Figures that estimates are part of, with the state that they are of. */
export interface EstimatedFigures<Result> {
  readonly state: State;
  readonly known: KnownEstimates;
  readonly result: Result;
}

/**
 * The same for figures that estimates are part of: in one snapshot if some are not stored yet, or are stored meanwhile.
 * Revisions of stored estimates are not recorded in the activity chain: a nightly run between two statements may be seen by
 * the later one alone. What must agree to the last digit is read by `readSnapshot`.
 */
export async function readEstimated<Result>(
  ledger: Ledger,
  read: (ledger: LedgerReader, known: KnownEstimates) => Promise<Result>,
): Promise<EstimatedFigures<Result>> {
  const known = await readStoredEstimates(ledger);
  if (known !== null) {
    const state = await readState(ledger);
    const currency = await readEstimateCurrency(ledger, '');
    const result = await read(ledger, known);
    const after = await readState(ledger);
    const isSame =
      after.activity_seq === state.activity_seq &&
      (await isUnmoved(ledger, known)) &&
      (await readEstimateCurrency(ledger, '')) === currency;
    if (isSame) return { state, known, result };
  }
  const { state, result } = await readSnapshot(ledger, async (snapshot) => {
    const known = await readKnownEstimates(snapshot);
    return { known, figures: await read(snapshot, known) };
  });
  return { state, known: result.known, result: result.figures };
}

/** What an answer says of the estimates that it counts. */
export function describeKnown({ as_of_seq, pending }: KnownEstimates) {
  return { as_of_seq, pending };
}

/** Reads figures in one snapshot of the database. */
export function readSnapshot<Result>(
  ledger: Ledger,
  read: (snapshot: LedgerReader) => Promise<Result>,
): Promise<{ readonly state: State; readonly result: Result }> {
  return ledger.read(async (snapshot) => ({
    state: await readState(snapshot),
    result: await read(snapshot),
  }));
}

export async function readState(ledger: LedgerReader): Promise<State> {
  const asOf = ledger.clock.now();
  const chain = await readChain(ledger, 'activity');
  return {
    as_of: formatTimestamp(asOf),
    activity_seq: chain?.seq ?? 0,
    activity_hash: chain?.hash ?? '',
  };
}

/** The base currency of a ledger, the rates into it and the name of customers. */
export async function readConversion(ledger: LedgerReader): Promise<MoneySettings> {
  const settings = await readSettings(ledger);
  return {
    base: settings.base_currency,
    rates: settings.exchange_rates,
    customerKey: settings.analytics.customer_key,
  };
}

/** How exposures are rounded. Sums of them exist only if all of them are in the base currency. */
export async function readRounding(
  ledger: LedgerReader,
  { base }: MoneySettings,
): Promise<{ readonly roundExposure: RoundExposure }> {
  const estimates = await readEstimateCurrency(ledger, base);
  return { roundExposure: exposureRounder(estimates, base) };
}
