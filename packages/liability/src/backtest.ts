import { chiSquareTail } from '@decision-ledger/numerics/distributions';

/** A forecast and what became of it. */
export interface Period {
  readonly realised: number;
  readonly low90: number;
  readonly high90: number;
  readonly var95: number;
}

/** A likelihood-ratio test: its statistic and the probability of one as large by chance. */
export interface LikelihoodRatioTest {
  readonly statistic: number;
  readonly p_value: number;
}

export interface BacktestSummary {
  readonly periods: number;
  /** Periods whose total exceeded var95. */
  readonly exceptions: number;
  /** Share of periods whose total lay within low90 and high90; null without periods. */
  readonly coverage: number | null;
  /** Null below MIN_PERIODS. */
  readonly kupiec: LikelihoodRatioTest | null;
  readonly christoffersen: LikelihoodRatioTest | null;
  readonly verdict: 'consistent' | 'too_low' | 'too_high' | 'clustered' | 'too_few_periods';
}

/** Fewer periods prove nothing about one exception in twenty. */
const MIN_PERIODS = 24;
const EXPECTED_SHARE = 0.05;
/** A test fails below this probability. */
const LEVEL = 0.05;

/** Compares forecasts with what was realised. @param periods in the order of time */
export function summariseBacktest(periods: readonly Period[]): BacktestSummary {
  const hits = periods.map(({ realised, var95 }) => realised > var95);
  const exceptions = hits.filter(Boolean).length;
  const inside = periods.filter(
    ({ realised, low90, high90 }) => realised >= low90 && realised <= high90,
  );
  const counted = {
    periods: periods.length,
    exceptions,
    coverage: periods.length === 0 ? null : inside.length / periods.length,
  };
  if (periods.length < MIN_PERIODS) {
    return { ...counted, kupiec: null, christoffersen: null, verdict: 'too_few_periods' };
  }
  const kupiec = kupiecTest(periods.length, exceptions, EXPECTED_SHARE);
  const christoffersen = christoffersenTest(hits);
  return {
    ...counted,
    kupiec,
    christoffersen,
    verdict: verdictOf(counted, kupiec, christoffersen),
  };
}

function verdictOf(
  { periods, exceptions }: { readonly periods: number; readonly exceptions: number },
  kupiec: LikelihoodRatioTest,
  christoffersen: LikelihoodRatioTest,
): BacktestSummary['verdict'] {
  if (kupiec.p_value < LEVEL) {
    return exceptions > EXPECTED_SHARE * periods ? 'too_low' : 'too_high';
  }
  return christoffersen.p_value < LEVEL ? 'clustered' : 'consistent';
}

/**
 * Proportion of failures (Kupiec, 1995): whether exceptions are as frequent as they should be.
 * @param share expected share of exceptions
 */
export function kupiecTest(
  periods: number,
  exceptions: number,
  share: number,
): LikelihoodRatioTest {
  const observed = exceptions / periods;
  const statistic =
    2 * (logLikelihood(periods, exceptions, observed) - logLikelihood(periods, exceptions, share));
  return ratioTest(statistic);
}

/** Independence (Christoffersen, 1998): whether an exception makes another one in the next period likelier. */
export function christoffersenTest(hits: readonly boolean[]): LikelihoodRatioTest {
  const counts = { calm: 0, calmHits: 0, after: 0, afterHits: 0 };
  for (const [index, hit] of hits.entries()) {
    if (index === 0) continue;
    const isAfter = hits[index - 1] === true;
    if (isAfter) counts.after += 1;
    else counts.calm += 1;
    if (hit && isAfter) counts.afterHits += 1;
    if (hit && !isAfter) counts.calmHits += 1;
  }
  const { calm, calmHits, after, afterHits } = counts;
  const pooled = (calmHits + afterHits) / Math.max(1, calm + after);
  const apart =
    logLikelihood(calm, calmHits, calm === 0 ? 0 : calmHits / calm) +
    logLikelihood(after, afterHits, after === 0 ? 0 : afterHits / after);
  return ratioTest(2 * (apart - logLikelihood(calm + after, calmHits + afterHits, pooled)));
}

/** Of a number of hits among trials; 0 × log 0 is 0. */
function logLikelihood(trials: number, hits: number, share: number): number {
  const missed = trials - hits;
  return (
    (hits === 0 ? 0 : hits * Math.log(share)) + (missed === 0 ? 0 : missed * Math.log1p(-share))
  );
}

function ratioTest(statistic: number): LikelihoodRatioTest {
  const positive = Math.max(0, statistic);
  return { statistic: positive, p_value: chiSquareTail(positive, 1) };
}
