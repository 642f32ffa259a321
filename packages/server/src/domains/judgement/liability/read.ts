import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import type { Liability, LiabilityBacktest } from '@decision-ledger/contract/liability';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { summariseBacktest } from '@decision-ledger/liability/backtest';
import { reliabilityOf } from '@decision-ledger/liability/reliability';
import { Big } from 'big.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, pageOf, type Slice } from '../../../platform/page.js';
import { readSettings } from '../../access/settings/index.js';
import { describeEstimate, shownFigures } from './describe.js';
import { readMakeable, withoutStored } from './first-estimates.js';
import { storedUntil } from './known-estimates.js';
import { newestEstimationModel } from './models.js';
import type { OwnFigures } from './store/estimate-columns.js';
import { countLost, selectCurrentEstimates, selectEstimates } from './store/estimates.js';
import { type ForecastRow, selectForecasts } from './store/forecasts.js';
import { selectCurrency, selectLearnedAt } from './store/snapshots.js';
import type { EstimationModel } from './stored-snapshot.js';

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

const MAX_AGENTS = 100;
const DAY_MS = 86_400_000;

/**
 * Forecasts as they were stored, beside what was realised since.
 * @param now ms
 */
export async function readBacktest(ledger: LedgerReader, now: number): Promise<LiabilityBacktest> {
  const model = await newestEstimationModel(ledger, await readSettings(ledger));
  const currency = await readEstimateCurrency(ledger, model.currency);
  const [forecasts, lost, learnedAt] = await Promise.all([
    selectForecasts(ledger),
    countLost(ledger),
    selectLearnedAt(ledger),
  ]);
  const rows = forecasts.map((row) => ({
    row,
    isSame: row.currency === currency,
    status: statusOf(row, currency, model, now),
  }));
  const compared = rows.filter(({ status }) => status === 'compared');
  const summary = summariseBacktest(
    compared.map(({ row }) => ({
      realised: Number(row.realised),
      low90: Number(row.low90),
      high90: Number(row.high90),
      var95: Number(row.var95),
    })),
  );
  return {
    months: rows.map(({ row, isSame, status }) => describeMonth(row, isSame, status)),
    ...summary,
    learned_at: learnedAt === null ? null : formatTimestamp(learnedAt),
    agents: reliabilityOf(model.experience, model.estimator, MAX_AGENTS).map((agent) => ({
      ...agent,
      confirmed_losses: lost.get(agent.agent_id) ?? 0,
      bins: [...agent.bins],
    })),
  };
}

type Status = LiabilityBacktest['months'][number]['status'];

/**
 * A month is mature once every loss of its last decision is known by the settings.
 * @param currency of all estimates; null if they are in several
 */
function statusOf(
  row: ForecastRow,
  currency: string | null,
  { settings }: EstimationModel,
  now: number,
): Status {
  const { loss_maturity_days, loss_maturity_days_by_action_type: own } = settings;
  const days = Math.max(loss_maturity_days, ...Object.values(own));
  const [year = 0, month = 0] = row.month.split('-').map(Number);
  if (now < Date.UTC(year, month, 1) + days * DAY_MS) return 'open';
  const isSame = row.decisions === row.decisions_now && row.currency === currency;
  return isSame ? 'compared' : 'changed';
}

/** @param isSame whether the losses are in the currency of the forecast */
function describeMonth(
  row: ForecastRow,
  isSame: boolean,
  status: Status,
): LiabilityBacktest['months'][number] {
  const { month, made_at, version, currency, basis, decisions } = row;
  const round = (amount: string) => roundToMinorUnit(amount, currency);
  return {
    ...{ month, made_at: formatTimestamp(made_at), version, currency, basis, decisions },
    expected: round(row.expected),
    low90: round(row.low90),
    high90: round(row.high90),
    var95: round(row.var95),
    es95: round(row.es95),
    realised: isSame ? round(row.realised) : null,
    status,
    is_exception: status === 'compared' ? new Big(row.realised).gt(row.var95) : null,
  };
}
