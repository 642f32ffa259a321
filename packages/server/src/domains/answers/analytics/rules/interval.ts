import { Big } from 'big.js';

/** Of the standard normal distribution: 90 % lie within as many deviations around the mean. */
const DEVIATIONS = '1.645';

/** How far the money of suggested links may come out otherwise; decimal text. */
export interface Uncertainty {
  readonly variance: string;
  /** The least that all suggestions could come to, not above zero. */
  readonly least: string;
  /** The most, not below zero. */
  readonly most: string;
}

/**
 * A 90 % interval of a net: the normal distribution of the same mean and variance, cut to what can
 * come out at all. Events are independent of each other; the suggestions of one exclude each other.
 * @param net with suggestions by their strength
 * @param settled the part of it that links hold which people made or confirmed
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
