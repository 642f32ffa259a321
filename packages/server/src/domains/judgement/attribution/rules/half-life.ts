import { median } from './robust.js';

/** How many observed lags the set half-life is worth. */
const WORTH = 10;
const LEAST_HOURS = 0.25;

/**
 * The half-life of an action type in hours: the set one, drawn towards the median of confirmed lags.
 * @param lags hours from decision to event
 */
export function learnedHalfLife(setHours: number, lags: readonly number[]): number {
  if (lags.length === 0) return setHours;
  const middle = Math.max(LEAST_HOURS, median(lags));
  return (WORTH * setHours + lags.length * middle) / (WORTH + lags.length);
}
