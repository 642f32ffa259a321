/** Spread of severities: the standard deviation of their logarithm. */
const SEVERITY_SPREAD = 0.8;
/** Of the standard normal distribution, for 90 % in the middle. */
const Z_90 = 1.645;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * 90 % interval around an expected loss, log-normal.
 * @param rate before adjustments, with its variance
 */
export function interval(
  expected: number,
  { rate, variance }: { readonly rate: number; readonly variance: number },
): Interval {
  const ofRate = rate > 0 ? Math.log(1 + variance / rate ** 2) : 0;
  const total = ofRate + SEVERITY_SPREAD ** 2;
  const at = (z: number) => expected * Math.exp(-total / 2 + z * Math.sqrt(total));
  return { low: at(-Z_90), high: at(Z_90) };
}
