import { notFound, unavailable } from '@decision-ledger/contract/errors';
import type {
  ExperimentAnalysis,
  ExperimentQuery,
  ListedExperiment,
} from '@decision-ledger/contract/experiment';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { type Alarms, findAlarms } from '@decision-ledger/experiments/alarms';
import {
  type ArmComparison,
  canAdjust,
  compareArms,
} from '@decision-ledger/experiments/comparison';
import { MAX_ARMS } from '@decision-ledger/experiments/sample';
import { type ArmTally, tallyArms } from '@decision-ledger/experiments/tally';
import { Big } from 'big.js';
import pLimit from 'p-limit';
import { readChain } from '../../../platform/chain/head.js';
import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import { inTurns } from '../../../platform/in-turns.js';
import type { Ledger } from '../../../platform/ledger.js';
import { mapPage, type PageRows, pageOf, type Slice } from '../../../platform/page.js';
import { readSettings } from '../../access/settings/index.js';
import { chancesTable } from '../../judgement/attribution/index.js';
import { loadCovariates } from './covariates.js';
import { type Loaded, loadSample, type Matured, type Reading } from './load.js';
import { describeAlarms } from './rules/alarms.js';
import { type Outline, type Reason, refuseArms, refuseSize } from './rules/comparability.js';
import {
  analysisWarnings,
  type DescribedArm,
  describeArms,
  describeDifferences,
  describeRatio,
  money,
} from './rules/describe.js';
import { readExperimentRequest } from './rules/request.js';
import { selectArms, selectExperiments, selectSize } from './store/assignments.js';
import { selectUnconverted, type UnconvertedRow } from './store/outcomes.js';
import { areUnlinked } from './store/unlinked.js';

/**
 * Compares the arms of an experiment.
 * @throws LedgerError `not_found`, `validation_error` for a parameter, `unavailable` while too many
 *   analyses wait
 */
export type AnalyseExperiment = (
  ledger: Ledger,
  experimentId: string,
  query: ExperimentQuery,
) => Promise<ExperimentAnalysis>;

const DAY_MS = 86_400_000;
const KEPT_MS = 600_000;
const KEPT = 100;
const MAX_WAITING = 20;

/**
 * All changes of money, rates and erased metadata are recorded in the chain of activity. While its head
 * and the matured assignments are the same, a cached analysis is up to date. Analyses run one at a time,
 * which bounds their memory.
 */
export function experimentReader(clock: Clock): AnalyseExperiment {
  const cache = expiringCache<ExperimentAnalysis>(clock, KEPT_MS, KEPT);
  const alone = pLimit(1);
  return async (ledger, experimentId, query) => {
    // Read first, so that an analysis is never older than the head in its cache key.
    const chain = await readChain(ledger, 'activity');
    const settings = await readSettings(ledger);
    const { base_currency: base, exchange_rates: rates } = settings;
    const request = readExperimentRequest(query, settings.analytics.customer_key, clock.now());
    const size = await selectSize(ledger, experimentId, request.maturedUntil);
    if (size.decisions + size.ignored === 0) throw notFound('experiment');
    const arms = await selectArms(ledger, experimentId, MAX_ARMS + 1);
    const outline = { ...size, arms, comparison: request.comparison };
    const reading = { ledger, experimentId, request, conversion: { base, rates }, arms };
    const key = JSON.stringify([ledger.ledgerId, chain?.seq, base, experimentId, request, size]);
    return cache.get(key, () => {
      if (alone.pendingCount >= MAX_WAITING) {
        throw unavailable('too many analyses of experiments are running');
      }
      return alone(() => analyse(reading, outline));
    });
  };
}

type Remark = ExperimentAnalysis['warnings'][number];

/** What an analysis found. */
interface Findings {
  readonly reasons: readonly Reason[];
  readonly arms: readonly DescribedArm[];
  readonly comparison: ArmComparison | null;
  readonly ratio: Alarms['ratio'];
  readonly alarms: readonly Remark[];
  readonly unconverted: readonly UnconvertedRow[];
  readonly withoutCustomer: number;
}

async function analyse(reading: Reading, outline: Outline & Matured): Promise<ExperimentAnalysis> {
  const oversize = refuseSize(outline);
  const found = oversize.length > 0 ? tooLarge(oversize) : await compare(reading, outline);
  return describe(reading, outline, found);
}

const REFUSED = { comparison: null, ratio: null, alarms: [] } as const;

function tooLarge(reasons: readonly Reason[]): Findings {
  return { ...REFUSED, reasons, arms: [], unconverted: [], withoutCustomer: 0 };
}

async function compare(reading: Reading, outline: Outline & Matured): Promise<Findings> {
  const { ledger, experimentId, request, conversion } = reading;
  const loaded = await loadSample(reading, outline);
  const unconverted = await selectUnconverted(ledger, experimentId, request, conversion);
  const tallies = await inTurns(tallyArms(loaded.sample));
  const arms = outline.arms.map((arm, place): DescribedArm => {
    const { net, savings } = loaded.sums[place] ?? { net: new Big(0), savings: new Big(0) };
    return { arm, tally: tallyAt(tallies, place), net, savings };
  });
  const { withoutCustomer } = loaded;
  const rest = { arms, unconverted, withoutCustomer };
  const reasons = refuseArms(outline, tallies);
  if (reasons.length > 0) return { ...REFUSED, reasons, ...rest };
  const covariates = canAdjust(tallies) ? await loadCovariates(reading, loaded) : [];
  const found = await inTurns(findAlarms(loaded.sample, covariates));
  const isMissing = await isGapUnlinked(reading, loaded, found);
  const alarms = describeAlarms(found, outline.arms, isMissing);
  const strong = alarms.filter(({ isStrong }) => isStrong);
  const place = outline.arms.indexOf(outline.comparison);
  return {
    reasons: strong,
    comparison:
      strong.length > 0 ? null : await inTurns(compareArms(loaded.sample, place, covariates)),
    ratio: found.ratio,
    alarms: alarms.filter(({ isStrong }) => !isStrong),
    ...rest,
  };
}

/** Whether as many events have no link as decisions would need one for all arms to have the same share. */
async function isGapUnlinked(
  { ledger, experimentId, request }: Reading,
  { sample: { time } }: Loaded,
  { shares }: Alarms,
): Promise<boolean> {
  if (shares === null) return false;
  const [from, last] = time.reduce(
    ([least, most], one) => [Math.min(least, one), Math.max(most, one)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const window = { from, until: last + request.horizonDays * DAY_MS };
  const answered = chancesTable(ledger.ledgerId);
  return areUnlinked(ledger, experimentId, request, window, {
    count: Math.ceil(shares.gap),
    answered,
  });
}

function tallyAt(tallies: readonly ArmTally[], place: number): ArmTally {
  const own = tallies[place];
  if (own === undefined) throw new Error(`arm ${place} was not counted`);
  return own;
}

function describe(
  { experimentId, request, conversion: { base } }: Reading,
  outline: Outline,
  { reasons, arms, comparison, ratio, alarms, unconverted, withoutCustomer }: Findings,
): ExperimentAnalysis {
  const { countsSavings } = request;
  const hasUnconverted = unconverted.length > 0;
  const { ignored, decisions, matured } = outline;
  const place = outline.arms.indexOf(outline.comparison);
  const estimates = comparison?.adjusted ?? comparison?.plain ?? null;
  return {
    experiment_id: experimentId,
    status: comparison === null ? 'not_comparable' : 'comparable',
    reasons: reasons.map(({ code, message }) => ({ code, message })),
    warnings: [
      ...alarms.map(({ code, message }) => ({ code, message })),
      ...analysisWarnings({ arms, ignored, hasUnconverted, countsSavings }),
    ],
    as_of: formatTimestamp(request.asOf),
    horizon_days: request.horizonDays,
    labels: [...request.labels],
    customer_key: request.customerKey,
    comparison: request.comparison,
    currency: base,
    estimator: comparison === null ? null : comparison.adjusted === null ? 'hajek' : 'aipw',
    covariates: [...(comparison?.covariates ?? [])],
    ...{ decisions, matured, ignored, without_customer: withoutCustomer },
    arms: describeArms(arms, estimates, base),
    differences: comparison === null ? [] : describeDifferences(arms, place, comparison, base),
    sample_ratio: describeRatio(ratio),
    unconverted: unconverted.map(({ arm, currency, amount }) => ({
      ...{ arm, currency, amount: money(amount, currency) },
    })),
  };
}

/** Experiments by identifier. */
export async function listExperiments(
  ledger: Ledger,
  { after, limit }: Slice<string>,
): Promise<PageRows<ListedExperiment>> {
  const rows = await selectExperiments(ledger, after, limit + 1);
  return mapPage(pageOf(rows, limit), (row) => ({
    experiment_id: row.experiment_id,
    decisions: row.decisions,
    ignored: row.ignored,
    first_at: formatTimestamp(row.first_at),
    last_at: formatTimestamp(row.last_at),
    arm_count: row.arm_count,
    arms: row.arms.map(({ arm, decisions }) => ({ arm, decisions })),
  }));
}

export { countUnreadable } from './store/assignments.js';
