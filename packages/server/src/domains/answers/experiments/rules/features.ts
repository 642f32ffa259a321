import type { Steps } from '@decision-ledger/contract/steps';

/** Scaled covariates are cut here, so that no single customer decides a regression. */
const LIMIT = 10;

/** What the regressions read of the customers: values with mean 0 and variance 1. */
export interface Features {
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
export function* featuresOf(covariates: readonly Float64Array[]): Steps<Features | null> {
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
