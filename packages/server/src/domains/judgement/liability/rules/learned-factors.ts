import { lossRate, oddsOf, type Tally } from './frequency.js';
import { nonIncreasing } from './isotonic.js';

/** Outcomes from which on decisions of a kind speak for themselves. */
const ENOUGH = 200;

/** Between which values a factor lies; where it was learned, both are the same. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The loss rate whose odds factors multiply, and how many outcomes it is worth to each kind. */
export interface Reference {
  readonly rate: number;
  readonly credibility: number;
}

export const isEnough = ({ decisions }: Tally): boolean => decisions >= ENOUGH;

/**
 * What kinds of decisions do to the odds of a loss. A kind with enough outcomes has learned it; by
 * luck it may have had no loss at all, so its rate is a credibility blend with the reference. The
 * others keep to an assumption, within the bounds that their learned neighbours set. Rates are made
 * monotone, not factors: so a further decision that went well lowers every pool that it is in.
 * @param kinds from the one that should lose most often to the one that should least
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
