import { Big } from 'big.js';

/** Quantile of the standard normal distribution: 90 % lie within so many deviations of the mean. */
const DEVIATIONS = '1.645';

/** Uncertainty of the money of suggested links; decimal text. */
export interface Uncertainty {
  readonly variance: string;
  /** Smallest possible sum of all suggestions, zero or below. */
  readonly least: string;
  /** Largest possible sum, zero or above. */
  readonly most: string;
}

/**
 * A 90 % interval of a net: the normal distribution of the same mean and variance, cut at the smallest
 * and largest possible sum. Events are independent; the suggestions of one event exclude each other.
 * @param net includes suggestions, weighted by strength
 * @param settled the part of links that people created or confirmed
 */
export function netInterval(
  net: Big,
  settled: Big,
  { variance, least, most }: Uncertainty,
): { low: Big; high: Big } {
  const reach = new Big(variance).sqrt().times(DEVIATIONS);
  const [bottom, top] = [settled.plus(least), settled.plus(most)];
  const [low, high] = [net.minus(reach), net.plus(reach)];
  return { low: low.lt(bottom) ? bottom : low, high: high.gt(top) ? top : high };
}
