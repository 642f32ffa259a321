import { median } from './robust.js';

const MIN_SAMPLES = 5;
/** Scales the median absolute deviation to the standard deviation of a normal distribution. */
const TO_DEVIATION = 1.4826;
const MIN_DEVIATION = 0.1;

/** Median and spread of the logarithms of the amounts of one action type and currency. */
export interface UsualAmounts {
  readonly median: number;
  readonly deviation: number;
}

/**
 * @param magnitudes above zero, of events with a confirmed link to the action type
 * @returns null for fewer than 5 amounts
 */
export function usualAmounts(magnitudes: readonly number[]): UsualAmounts | null {
  if (magnitudes.length < MIN_SAMPLES) return null;
  const logs = magnitudes.map(Math.log);
  const middle = median(logs);
  const spread = median(logs.map((value) => Math.abs(value - middle)));
  return { median: middle, deviation: Math.max(TO_DEVIATION * spread, MIN_DEVIATION) };
}

/** How usual a magnitude is: 1 at the median, falling to 0. */
export function plausibility(magnitude: number, usual: UsualAmounts): number {
  const z = (Math.log(magnitude) - usual.median) / usual.deviation;
  return Math.exp(-(z * z) / 2);
}
