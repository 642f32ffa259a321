import { lossRate, oddsOf, type Tally } from './frequency.js';
import { nonIncreasing } from './isotonic.js';

/** Decisions of a kind that are needed to learn its factor. */
const ENOUGH = 200;

/** Limits of a factor; both are the same if it was learned. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The loss rate whose odds the factors multiply, and its weight in outcomes. */
export interface Reference {
  readonly rate: number;
  readonly credibility: number;
}

export const isEnough = ({ decisions }: Tally): boolean => decisions >= ENOUGH;

/**
 * The factors of kinds of decisions on the odds of a loss. A kind with enough decisions learns its
 * factor; its rate is a credibility blend with the reference, because it may have had no loss by
 * chance. The others keep an assumption, within the limits of their learned neighbours. The rates are
 * made monotone, not the factors, so that one more decision without a loss lowers each pool it is in.
 * @param kinds in descending order of the expected loss rate
 */
export function learnFactors(
  kinds: readonly Tally[],
  { rate, credibility }: Reference,
  limits: Bounds,
): Bounds[] {
  const rates = nonIncreasing(
    kinds.filter(isEnough).map((tally) => ({
      value: lossRate(tally, rate, credibility).rate,
      weight: tally.decisions + credibility,
    })),
  );
  const ratios = rates.map((own) => within(oddsOf(own) / oddsOf(rate), limits)).values();
  const known = kinds.map((kind) => (isEnough(kind) ? ratios.next().value : undefined));
  return known.map((factor, index) => ({
    low: factor ?? known.slice(index).find((value) => value !== undefined) ?? limits.low,
    high: factor ?? known.slice(0, index).findLast((value) => value !== undefined) ?? limits.high,
  }));
}

export function within(value: number, { low, high }: Bounds): number {
  return Math.min(high, Math.max(low, value));
}
