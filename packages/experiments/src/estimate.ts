import type { Steps } from '@decision-ledger/contract/steps';
import { tQuantile } from '@decision-ledger/numerics/distributions';
import { type Sample, STEP_DECISIONS, valueAt } from './sample.js';

/**
 * The money that a decision of a customer is expected to move in an arm, known before the decision.
 * Any function will do: a good one only narrows the intervals.
 */
export type Predict = (cluster: number, arm: number) => number;

/** An estimate with its uncertainty; figures are in the currency of the sample. */
export interface IntervalEstimate {
  readonly value: number;
  readonly standardError: number;
  readonly degrees: number;
  /** The bounds of the 95 % interval. */
  readonly low: number;
  readonly high: number;
}

export interface Estimates {
  /** Mean money of a decision, if all were in the arm. */
  readonly means: readonly IntervalEstimate[];
  /** Difference to the comparison arm; that of the comparison arm itself is zero. */
  readonly differences: readonly IntervalEstimate[];
}

/** Sums over the decisions of one customer, by arm. */
interface ClusterSums {
  readonly weight: Float64Array;
  /** Weighted money beyond the prediction. */
  readonly residual: Float64Array;
  readonly prediction: Float64Array;
  decisions: number;
}

/**
 * Means and differences by inverse propensities: Hájek's estimator, augmented by predictions if there
 * are any. Variances are sums over customers of squared scores. Each score is divided by √(1 − h), where
 * h is the customer's share of the weight of the arm, which removes the bias of small samples (CR2).
 */
export function* estimateEffects(
  sample: Sample,
  comparison: number,
  predict: Predict | null,
): Steps<Estimates> {
  const totals = yield* sumUp(sample, predict);
  const { arms, clusters, decisions } = sample;
  const factor = Math.sqrt(clusters / Math.max(1, clusters - 1));
  const own = new Float64Array(arms);
  const between = new Float64Array(arms);
  const scores = new Float64Array(arms);
  const sums = emptySums(arms);
  yield* eachCluster(sample, predict, sums, () => {
    for (let arm = 0; arm < arms; arm += 1) {
      const { weight, residual, prediction } = totals.of(arm);
      const share = valueAt(sums.weight, arm) / weight;
      const beyond = valueAt(sums.residual, arm) - valueAt(sums.weight, arm) * residual;
      const expected = sums.decisions * (valueAt(sums.prediction, arm) - prediction);
      scores[arm] =
        (factor * expected) / decisions + beyond / weight / Math.sqrt(Math.max(1e-9, 1 - share));
    }
    for (let arm = 0; arm < arms; arm += 1) {
      const score = valueAt(scores, arm);
      own[arm] = valueAt(own, arm) + score * score;
      const difference = score - valueAt(scores, comparison);
      between[arm] = valueAt(between, arm) + difference * difference;
    }
  });
  const names = Array.from({ length: arms }, (_, arm) => arm);
  const meanOf = (arm: number) => totals.of(arm).prediction + totals.of(arm).residual;
  return {
    means: names.map((arm) => interval(meanOf(arm), valueAt(own, arm), totals.effective(arm))),
    differences: names.map((arm) =>
      interval(
        meanOf(arm) - meanOf(comparison),
        valueAt(between, arm),
        Math.min(totals.effective(arm), totals.effective(comparison)),
      ),
    ),
  };
}

interface Totals {
  /** Sum of the weights, mean of the weighted residuals, and mean of the predictions of an arm. */
  of(arm: number): { weight: number; residual: number; prediction: number };
  /** How many customers of equal weight would be as precise (Kish). */
  effective(arm: number): number;
}

function* sumUp(sample: Sample, predict: Predict | null): Steps<Totals> {
  const { arms, decisions } = sample;
  const all = emptySums(arms);
  const squares = new Float64Array(arms);
  const sums = emptySums(arms);
  yield* eachCluster(sample, predict, sums, () => {
    for (let arm = 0; arm < arms; arm += 1) {
      const weight = valueAt(sums.weight, arm);
      all.weight[arm] = valueAt(all.weight, arm) + weight;
      squares[arm] = valueAt(squares, arm) + weight * weight;
      all.residual[arm] = valueAt(all.residual, arm) + valueAt(sums.residual, arm);
      all.prediction[arm] =
        valueAt(all.prediction, arm) + sums.decisions * valueAt(sums.prediction, arm);
    }
  });
  const table = Array.from({ length: arms }, (_, arm) => {
    const weight = valueAt(all.weight, arm);
    const residual = valueAt(all.residual, arm) / weight;
    return { weight, residual, prediction: valueAt(all.prediction, arm) / decisions };
  });
  return {
    of: (arm) => table[arm] ?? { weight: 1, residual: 0, prediction: 0 },
    effective: (arm) => valueAt(all.weight, arm) ** 2 / valueAt(squares, arm),
  };
}

/** Calls `visit` for each cluster, whose sums are then in `sums`. */
function* eachCluster(
  sample: Sample,
  predict: Predict | null,
  sums: ClusterSums,
  visit: () => void,
): Steps<void> {
  let worked = 0;
  for (let cluster = 0; cluster < sample.clusters; cluster += 1) {
    sumCluster(sample, cluster, predict, sums);
    visit();
    worked += sums.decisions;
    if (worked > STEP_DECISIONS) {
      worked = 0;
      yield;
    }
  }
}

function emptySums(arms: number): ClusterSums {
  const zeros = () => new Float64Array(arms);
  return { weight: zeros(), residual: zeros(), prediction: zeros(), decisions: 0 };
}

/** Replaces `sums` by those of a customer. */
function sumCluster(
  sample: Sample,
  cluster: number,
  predict: Predict | null,
  sums: ClusterSums,
): void {
  const { weight, residual, prediction } = sums;
  weight.fill(0);
  residual.fill(0);
  if (predict !== null) {
    for (let arm = 0; arm < sample.arms; arm += 1) prediction[arm] = predict(cluster, arm);
  }
  const start = valueAt(sample.first, cluster);
  const end = valueAt(sample.first, cluster + 1);
  sums.decisions = end - start;
  for (let index = start; index < end; index += 1) {
    const arm = valueAt(sample.arm, index);
    const inverse = 1 / valueAt(sample.propensity, index);
    weight[arm] = valueAt(weight, arm) + inverse;
    const beyond = valueAt(sample.money, index) - valueAt(prediction, arm);
    residual[arm] = valueAt(residual, arm) + inverse * beyond;
  }
}

function interval(value: number, variance: number, effective: number): IntervalEstimate {
  const degrees = Math.max(1, effective - 1);
  const standardError = Math.sqrt(variance);
  const reach = standardError === 0 ? 0 : tQuantile(0.975, degrees) * standardError;
  return { value, standardError, degrees, low: value - reach, high: value + reach };
}

/**
 * The difference that an experiment of this precision finds in 80 % of cases, by a two-sided test at
 * the level of 5 %.
 */
export function minimumDetectableEffect({ standardError, degrees }: IntervalEstimate): number {
  return standardError * (tQuantile(0.975, degrees) + tQuantile(0.8, degrees));
}
