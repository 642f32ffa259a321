import { median } from './robust.js';

/** Weight of the half-life in the settings, in observed lags. */
const PRIOR_LAGS = 10;
const MIN_HOURS = 0.25;

/**
 * The half-life of an action type in hours: the one in the settings, shrunk towards the median lag.
 * @param lags hours from decision to event
 */
export function learnedHalfLife(setHours: number, lags: readonly number[]): number {
  if (lags.length === 0) return setHours;
  const middle = Math.max(MIN_HOURS, median(lags));
  return (PRIOR_LAGS * setHours + lags.length * middle) / (PRIOR_LAGS + lags.length);
}
