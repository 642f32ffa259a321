import { median } from './robust.js';

const FEWEST_SAMPLES = 5;
/** Makes the median absolute deviation an estimate of the standard deviation. */
const TO_DEVIATION = 1.4826;
const LEAST_DEVIATION = 0.1;

/** What amounts of one action type and currency usually are: of the logarithms, median and spread. */
export interface UsualAmounts {
  readonly median: number;
  readonly deviation: number;
}

/**
 * @param magnitudes above zero, of events that decisions of the action type are known to have caused
 * @returns null where there are too few to say
 */
export function usualAmounts(magnitudes: readonly number[]): UsualAmounts | null {
  if (magnitudes.length < FEWEST_SAMPLES) return null;
  const logs = magnitudes.map(Math.log);
  const middle = median(logs);
  const spread = median(logs.map((value) => Math.abs(value - middle)));
  return { median: middle, deviation: Math.max(TO_DEVIATION * spread, LEAST_DEVIATION) };
}

/** How near a magnitude is to the usual: 1 in the middle, falling to 0. */
export function plausibility(magnitude: number, usual: UsualAmounts): number {
  const z = (Math.log(magnitude) - usual.median) / usual.deviation;
  return Math.exp(-(z * z) / 2);
}
