import {
  type ExposureAnalysis,
  type ExposureQuery,
  MAX_GROUPS,
  type TrendPoint,
} from '@decision-ledger/contract/analytics';
import type {
  ExposureRow,
  ExposureRowsQuery,
  ExposureSums,
} from '@decision-ledger/contract/analytics-rows';
import { unavailable } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { type PageRows, type Place, pageOf, type Slice } from '../../../platform/page.js';
import { readSettings } from '../../access/settings/index.js';
import {
  type EstimationModel,
  type KnownEstimates,
  newestEstimationModel,
  readEstimateCurrency,
  readKnownEstimates,
  withEstimates,
} from '../../judgement/liability/index.js';
import { describeKnown, readConversion, readSnapshot, type State } from './consistent.js';
import type { Outlooks } from './outlooks.js';
import {
  describeDay,
  describePool,
  describeTop,
  type PoolRow,
  poolsOf,
  type Totals,
  totalsOf,
  type VariantRow,
} from './rules/exposure.js';
import { type Filter, readAnalyticsFilter } from './rules/filter.js';
import { difference, isAbove, rounder } from './rules/money.js';
import {
  type EstimatedRow,
  type ExposureSum,
  selectEstimated,
  selectExposureDays,
  selectTopDecisions,
  sumEstimated,
  sumExposure,
  sumPools,
  sumVariants,
} from './store/exposure.js';

export interface ExposureTools {
  readonly outlooks: Outlooks;
}

/** The routes of this domain answer with them as they are. */
export { readBacktest, readLiabilityModel } from '../../judgement/liability/index.js';

const TOP = 10;
/** Versions of agents that are simulated one by one. */
const MAX_VARIANTS = 1000;
/** A worker looks for due work every half minute. */
const CONVERTING_SECONDS = 30;

/**
 * What decisions could still cost.
 * @throws LedgerError `validation_error` for an invalid range, `unavailable` while estimates are in
 *   several currencies
 */
export async function readExposure(
  ledger: Ledger,
  { outlooks }: ExposureTools,
  query: ExposureQuery,
): Promise<ExposureAnalysis> {
  const filter = readAnalyticsFilter(query);
  const now = ledger.clock.now();
  const read = await withEstimates(ledger, async (reader, known) => {
    const settings = await readSettings(reader);
    const model = await newestEstimationModel(reader, settings);
    await requireEstimatesIn(reader, model.currency);
    const threshold = settings.liability.exposure_alert_threshold;
    const question = { filter, known, model, now };
    const [sums, top, trend, whole] = await Promise.all([
      readSums(reader, question),
      selectTopDecisions(reader, filter, known, query.top ?? TOP),
      readTrend(reader, question),
      threshold === null ? null : sumExposure(reader, EVERYTHING, known),
    ]);
    // Several statements may see several states.
    await requireEstimatesIn(reader, model.currency);
    return { sums, top, trend, whole, known, model, threshold };
  });
  const { top, trend, whole, known, model, threshold } = read;
  const { currency } = model;
  const { pools, totals, aggregate } = await draw(ledger, read.sums, { model, now }, outlooks);
  const round = rounder(currency);
  const status = thresholdStatus(whole, threshold);
  return {
    currency,
    as_of: formatTimestamp(now),
    ...describeKnown(known),
    version: model.version,
    aggregate,
    decisions: totals.decisions,
    by_action_type: pools.slice(0, MAX_GROUPS).map((pool) => describePool(pool, round)),
    top_decisions: top.map((row) => describeTop(row, uuidToId('dec', row.decision_id), round)),
    trend,
    threshold: threshold === null ? null : round(threshold),
    is_threshold_crossed: status === 'exceeded',
    threshold_status: status,
    unconverted_count: totals.unconverted,
    denied_count: totals.denied,
  };
}

export interface ExposureAggregate {
  /** By action type. */
  readonly pools: readonly PoolRow[];
  readonly totals: Totals;
  /** Printed in the currency of the model. */
  readonly aggregate: ExposureAnalysis['aggregate'];
}

/** What is asked of the estimates of a ledger. */
export interface ExposureQuestion {
  readonly filter: Filter;
  readonly known: KnownEstimates;
  readonly model: EstimationModel;
  /** ms. */
  readonly now: number;
}

/** The sums of the estimates of decisions, and the distribution of their total cost. */
export async function readAggregate(
  ledger: LedgerReader,
  question: ExposureQuestion,
  outlooks: Outlooks,
): Promise<ExposureAggregate> {
  return draw(ledger, await readSums(ledger, question), question, outlooks);
}

interface Sums {
  readonly pools: PoolRow[];
  readonly variants: VariantRow[];
}

async function readSums(ledger: LedgerReader, { filter, known }: ExposureQuestion): Promise<Sums> {
  const [pools, variants] = await Promise.all([
    sumPools(ledger, filter, known),
    sumVariants(ledger, filter, known, MAX_VARIANTS),
  ]);
  return { pools, variants };
}

async function draw(
  { scope }: LedgerReader,
  { pools, variants }: Sums,
  { model, now }: Pick<ExposureQuestion, 'model' | 'now'>,
  outlooks: Outlooks,
): Promise<ExposureAggregate> {
  const totals = totalsOf(pools);
  const outlook = await outlooks.get(scope, model, poolsOf(pools, variants), now);
  const round = rounder(model.currency);
  const aggregate = {
    expected: round(totals.exposure),
    low90: round(outlook.low90),
    high90: round(outlook.high90),
    var95: round(outlook.var95),
    es95: round(outlook.es95),
    basis: outlook.basis,
    realised: round(totals.realised),
    open: difference(round(totals.exposure), round(totals.realised)),
    p50: round(outlook.p50),
  };
  return { pools, totals, aggregate };
}

/**
 * Whether what may still be lost is above the threshold. Below it, amounts that no rate converts leave it open whether it
 * is exceeded.
 */
function thresholdStatus(
  whole: ExposureSum | null,
  threshold: string | null,
): ExposureAnalysis['threshold_status'] {
  if (whole === null || threshold === null) return null;
  if (isAbove(difference(whole.exposure, whole.realised), threshold)) return 'exceeded';
  return whole.unconverted > 0 ? 'unknown' : 'not_exceeded';
}

/** Refuses sums while some estimates are in another currency. */
export async function requireEstimatesIn(reader: LedgerReader, currency: string): Promise<void> {
  if ((await readEstimateCurrency(reader, currency)) === currency) return;
  throw unavailable(
    'the base currency was changed: the estimates are being recalculated in the new one',
    CONVERTING_SECONDS,
  );
}

const EVERYTHING: Filter = {
  start: undefined,
  end: undefined,
  agentId: undefined,
  actionType: undefined,
};

/** The exposure of all decisions after each nightly run, and now if the range includes it. */
async function readTrend(
  ledger: LedgerReader,
  { filter, known, model: { currency }, now }: ExposureQuestion,
): Promise<TrendPoint[]> {
  const { start = -Infinity, end = Infinity } = filter;
  const includesNow = start <= now && now < end;
  const whole = { ...filter, start: undefined, end: undefined };
  const [days, sums] = await Promise.all([
    selectExposureDays(ledger, filter),
    includesNow ? sumExposure(ledger, whole, known) : null,
  ]);
  const past = days.map((row) => describeDay(row, false));
  if (sums === null) return past;
  const day = formatTimestamp(now).slice(0, 10);
  return [...past, describeDay({ ...sums, day, currency }, true)];
}

export interface ListedExposure {
  readonly row: ExposureRow;
  readonly place: Place;
}

/** A page of decisions, with the currency and the state that it shows and, on the first one, the sums. */
export interface ExposurePage extends PageRows<ListedExposure> {
  readonly currency: string;
  readonly state: State;
  readonly known: KnownEstimates;
  readonly sum: ExposureSums | null;
}

/**
 * The decisions that a figure of the exposure counts. A page and its sums are of one snapshot, because a
 * nightly run changes estimates and no other figure.
 * @throws LedgerError `validation_error` for an invalid range, `unavailable` while estimates are in
 *   several currencies
 */
export async function listExposureRows(
  ledger: Ledger,
  query: ExposureRowsQuery,
  { after, limit }: Slice<Place>,
): Promise<ExposurePage> {
  const filter = readAnalyticsFilter(query);
  const { state, result } = await readSnapshot(ledger, async (reader) => {
    const { base: currency } = await readConversion(reader);
    await requireEstimatesIn(reader, currency);
    const known = await readKnownEstimates(reader);
    const found = await selectEstimated(reader, filter, known, { after, limit: limit + 1 });
    const sum = after === null ? await sumEstimated(reader, filter, known) : null;
    return { found, sum, currency, known };
  });
  const { rows, hasMore } = pageOf(result.found, limit);
  return { ...result, rows: rows.map(describe), hasMore, state };
}

function describe({ decision_id, timestamp, ...row }: EstimatedRow): ListedExposure {
  return {
    row: {
      decision_id: uuidToId('dec', decision_id),
      ...row,
      timestamp: formatTimestamp(timestamp),
    },
    place: { at: timestamp, id: decision_id },
  };
}
