import { tQuantile } from '@decision-ledger/numerics/distributions';

/** @typedef {{ mean: number, low: number, high: number }} Interval ratios: 1.05 is 5 % more */

/**
 * The mean ratio of pairs with its 95 % interval, from the logarithms of the ratios by Student's t.
 * @param {readonly number[]} above
 * @param {readonly number[]} below as many
 * @returns {Interval}
 */
export function ratioOf(above, below) {
  const logs = above.map((value, pair) => Math.log(value / below[pair]));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const error = Math.sqrt(squares / (logs.length - 1) / logs.length);
  const reach = tQuantile(0.975, logs.length - 1) * error;
  return { mean: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}
