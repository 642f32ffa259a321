import type { Steps } from '@decision-ledger/contract/steps';
import { solveCholesky } from '@decision-ledger/numerics/cholesky';
import type { Predict } from './estimate.js';
import { type Sample, STEP_DECISIONS, valueAt } from './sample.js';

/** No prediction for a customer is made from its own part of the customers. */
const FOLDS = 5;

/** Strength of the ridge penalty, in decisions: with few of them the slopes stay near zero. */
const RIDGE = 5;

/**
 * Predicts money from covariates: a ridge regression for each arm and each fold of the customers,
 * fitted to the other folds. The covariates must be known before the first assignment of the customer.
 * @param covariates one value for each customer
 * @returns null if the covariates do not vary, or an arm is missing in a fold
 */
export function* fitPredictions(
  sample: Sample,
  covariates: readonly Float64Array[],
): Steps<Predict | null> {
  const features = yield* featuresOf(covariates);
  if (features === null) return null;
  const folds = yield* sumFolds(sample, features);
  const size = features.count + 1;
  const slopes: Float64Array[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    for (let arm = 0; arm < sample.arms; arm += 1) {
      const others = folds.filter((_, place) => {
        return place % sample.arms === arm && Math.floor(place / sample.arms) !== fold;
      });
      const fitted = regress(others, size);
      if (fitted === null) return null;
      slopes.push(fitted);
    }
  }
  const values = new Float64Array(size);
  let current = -1;
  return (cluster, arm) => {
    if (cluster !== current) features.read(cluster, values);
    current = cluster;
    const own = slopes[foldOf(cluster) * sample.arms + arm];
    if (own === undefined) return 0;
    let sum = 0;
    for (let place = 0; place < size; place += 1)
      sum += valueAt(own, place) * valueAt(values, place);
    return sum;
  };
}

/** Mixed, so that the folds do not follow a pattern in the order of the customers. */
function foldOf(cluster: number): number {
  return (Math.imul(cluster + 1, 0x9e3779b1) >>> 16) % FOLDS;
}

/** The normal equations of one arm and fold. */
interface Moments {
  decisions: number;
  weight: number;
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

/** @returns moments by fold, then arm */
function* sumFolds(sample: Sample, features: Features): Steps<Moments[]> {
  const size = features.count + 1;
  const { arms, clusters } = sample;
  const all = Array.from({ length: FOLDS * arms }, () => emptyMoments(size));
  const values = new Float64Array(size);
  const own = Array.from({ length: arms }, () => ({ decisions: 0, weight: 0, money: 0 }));
  let worked = 0;
  for (let cluster = 0; cluster < clusters; cluster += 1) {
    const [start, end] = [valueAt(sample.first, cluster), valueAt(sample.first, cluster + 1)];
    for (const sums of own) Object.assign(sums, { decisions: 0, weight: 0, money: 0 });
    for (let index = start; index < end; index += 1) {
      const sums = own[valueAt(sample.arm, index)];
      if (sums === undefined) continue;
      const inverse = 1 / valueAt(sample.propensity, index);
      sums.decisions += 1;
      sums.weight += inverse;
      sums.money += inverse * valueAt(sample.money, index);
    }
    features.read(cluster, values);
    const fold = foldOf(cluster);
    for (const [arm, sums] of own.entries()) {
      const moments = all[fold * arms + arm];
      if (moments !== undefined && sums.decisions > 0) addTo(moments, values, sums);
    }
    worked += end - start;
    if (worked > STEP_DECISIONS) {
      worked = 0;
      yield;
    }
  }
  return all;
}

function emptyMoments(size: number): Moments {
  return {
    decisions: 0,
    weight: 0,
    matrix: new Float64Array(size * size),
    right: new Float64Array(size),
  };
}

function addTo(
  moments: Moments,
  values: Float64Array,
  own: { readonly decisions: number; readonly weight: number; readonly money: number },
): void {
  const { matrix, right } = moments;
  const size = values.length;
  moments.decisions += own.decisions;
  moments.weight += own.weight;
  for (let row = 0; row < size; row += 1) {
    right[row] = valueAt(right, row) + own.money * valueAt(values, row);
    for (let column = 0; column < size; column += 1) {
      const place = row * size + column;
      matrix[place] =
        valueAt(matrix, place) + own.weight * valueAt(values, row) * valueAt(values, column);
    }
  }
}

function regress(parts: readonly Moments[], size: number): Float64Array | null {
  const all = emptyMoments(size);
  for (const { decisions, weight, matrix, right } of parts) {
    all.decisions += decisions;
    all.weight += weight;
    for (const [place, value] of matrix.entries()) {
      all.matrix[place] = valueAt(all.matrix, place) + value;
    }
    for (const [place, value] of right.entries()) {
      all.right[place] = valueAt(all.right, place) + value;
    }
  }
  if (all.decisions === 0) return null;
  const penalty = (RIDGE * all.weight) / all.decisions;
  for (let place = 1; place < size; place += 1) {
    const diagonal = place * size + place;
    all.matrix[diagonal] = valueAt(all.matrix, diagonal) + penalty;
  }
  return solveCholesky(all.matrix, all.right);
}

/** Scaled covariates are cut here, so that no single customer decides a regression. */
const LIMIT = 10;

/** What the regressions read of the customers: values with mean 0 and variance 1. */
interface Features {
  readonly count: number;
  /** Writes the features of a customer into `target`, from place 1; place 0 is the constant. */
  read(cluster: number, target: Float64Array): void;
}

type Shape = (scaled: number) => number;

/** Each covariate once as it is, cut at both ends, and once compressed like a logarithm. */
const SHAPES: readonly Shape[] = [
  (scaled) => Math.max(-LIMIT, Math.min(LIMIT, scaled)),
  (scaled) => Math.asinh(scaled),
];

interface Column {
  readonly values: Float64Array;
  readonly scale: number;
  readonly shape: Shape;
  readonly mean: number;
  readonly deviation: number;
}

/**
 * @param covariates one value for each customer
 * @returns null if no covariate varies
 */
function* featuresOf(covariates: readonly Float64Array[]): Steps<Features | null> {
  const columns: Column[] = [];
  for (const values of covariates) {
    const scale = scaleOf(values);
    if (scale === 0) continue;
    for (const shape of SHAPES) {
      columns.push(...columnOf(values, scale, shape));
      yield;
    }
  }
  if (columns.length === 0) return null;
  return {
    count: columns.length,
    read(cluster, target) {
      target[0] = 1;
      for (const [place, { values, scale, shape, mean, deviation }] of columns.entries()) {
        target[place + 1] = (shape((values[cluster] ?? 0) / scale) - mean) / deviation;
      }
    },
  };
}

/** The mean size of the values that are not zero. */
function scaleOf(values: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (value === 0) continue;
    sum += Math.abs(value);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

function columnOf(values: Float64Array, scale: number, shape: Shape): Column[] {
  let mean = 0;
  for (const value of values) mean += shape(value / scale) / values.length;
  let variance = 0;
  for (const value of values) variance += (shape(value / scale) - mean) ** 2 / values.length;
  const deviation = Math.sqrt(variance);
  return deviation > 1e-9 ? [{ values, scale, shape, mean, deviation }] : [];
}
