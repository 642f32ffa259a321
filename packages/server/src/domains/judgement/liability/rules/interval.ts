/** Quantile of the standard normal distribution for the middle 90 %. */
const Z_90 = 1.645;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * 90 % interval around an expected loss, log-normal with that mean.
 * @param rateVariance relative variance of the loss rate, before adjustments
 * @param severitySpread standard deviation of the logarithm of losses
 */
export function interval(expected: number, rateVariance: number, severitySpread: number): Interval {
  const variance = Math.log1p(rateVariance) + severitySpread ** 2;
  const at = (z: number) => expected * Math.exp(-variance / 2 + z * Math.sqrt(variance));
  return { low: at(-Z_90), high: at(Z_90) };
}
