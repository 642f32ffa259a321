import type { SeverityTally } from './experience.js';

/** A log-normal distribution of loss ÷ amount at risk. */
export interface Severity {
  readonly mean: number;
  /** Standard deviation of the logarithm. */
  readonly spread: number;
  /** Relative variance of the mean: how little is known of it. */
  readonly uncertainty: number;
  /** Median and 95th percentile. */
  readonly p50: number;
  readonly p95: number;
}

/** Quantile of the standard normal distribution. */
const Z_95 = 1.6448536269514722;
/** Losses are never assumed to be all of one size. */
const MIN_VARIANCE = 0.01;
/** Weight of the assumed spread, as a multiple of that of the assumed mean. */
const SPREAD_WEIGHT = 5;

/**
 * Sizes of losses by their moments, so that the mean stays right where losses are not log-normal. Shrunk
 * towards a mean of the whole amount and the spread of the settings, which weigh `credibility` losses.
 */
export function severityOf(
  { count, sum, squares }: SeverityTally,
  assumedSpread: number,
  credibility: number,
): Severity {
  const weight = credibility + count;
  const mean = (credibility + sum) / weight;
  const around = Math.max(0, squares - 2 * mean * sum + count * mean * mean) / (mean * mean);
  const assumed = Math.expm1(assumedSpread * assumedSpread);
  // A sample of a skewed distribution seldom shows its tail, so the assumed spread weighs more.
  const spreadWeight = SPREAD_WEIGHT * credibility;
  const variance = Math.max(
    MIN_VARIANCE,
    (spreadWeight * assumed + around) / (spreadWeight + count),
  );
  const spread = Math.sqrt(Math.log1p(variance));
  const p50 = mean * Math.exp((-spread * spread) / 2);
  const p95 = p50 * Math.exp(Z_95 * spread);
  return { mean, spread, uncertainty: variance / weight, p50, p95 };
}
