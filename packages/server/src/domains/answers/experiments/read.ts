import { notFound, unavailable } from '@decision-ledger/contract/errors';
import type {
  ExperimentAnalysis,
  ExperimentQuery,
  ListedExperiment,
} from '@decision-ledger/contract/experiment';
import { formatTimestamp } from '@decision-ledger/contract/time';
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
import { loadCovariates } from './covariates.js';
import { loadSample, type Matured, type Reading } from './load.js';
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

/** What an analysis found. */
interface Findings {
  readonly reasons: readonly Reason[];
  readonly arms: readonly DescribedArm[];
  readonly comparison: ArmComparison | null;
  readonly unconverted: readonly UnconvertedRow[];
  readonly withoutCustomer: number;
}

async function analyse(reading: Reading, outline: Outline & Matured): Promise<ExperimentAnalysis> {
  const oversize = refuseSize(outline);
  const found = oversize.length > 0 ? tooLarge(oversize) : await compare(reading, outline);
  return describe(reading, outline, found);
}

function tooLarge(reasons: readonly Reason[]): Findings {
  return { reasons, arms: [], comparison: null, unconverted: [], withoutCustomer: 0 };
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
  const reasons = refuseArms(outline, tallies);
  if (reasons.length > 0) return { reasons, arms, comparison: null, unconverted, withoutCustomer };
  const covariates = canAdjust(tallies) ? await loadCovariates(reading, loaded) : [];
  const place = outline.arms.indexOf(outline.comparison);
  const comparison = await inTurns(compareArms(loaded.sample, place, covariates));
  return { reasons, arms, comparison, unconverted, withoutCustomer };
}

function tallyAt(tallies: readonly ArmTally[], place: number): ArmTally {
  const own = tallies[place];
  if (own === undefined) throw new Error(`arm ${place} was not counted`);
  return own;
}

function describe(
  { experimentId, request, conversion: { base } }: Reading,
  outline: Outline,
  { reasons, arms, comparison, unconverted, withoutCustomer }: Findings,
): ExperimentAnalysis {
  const ratio = comparison?.ratio ?? null;
  const { countsSavings } = request;
  const hasUnconverted = unconverted.length > 0;
  const { ignored, decisions, matured } = outline;
  const place = outline.arms.indexOf(outline.comparison);
  const estimates = comparison?.adjusted ?? comparison?.plain ?? null;
  return {
    experiment_id: experimentId,
    status: comparison === null ? 'not_comparable' : 'comparable',
    reasons: [...reasons],
    warnings: analysisWarnings({ arms, ratio, ignored, hasUnconverted, countsSavings }),
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
