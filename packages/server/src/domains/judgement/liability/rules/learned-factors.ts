import { lossRate, oddsOf, type Tally } from './frequency.js';

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

export interface WeightedValue {
  readonly value: number;
  /** Above 0. */
  readonly weight: number;
}

interface Block {
  sum: number;
  weight: number;
  length: number;
}

/**
 * The non-increasing sequence closest to the values in weighted least squares: isotonic regression by
 * pooling adjacent violators (Ayer and others, 1955). For rates weighted by their outcomes it is also
 * the maximum-likelihood sequence.
 */
export function nonIncreasing(values: readonly WeightedValue[]): number[] {
  const blocks: Block[] = [];
  for (const { value, weight } of values) {
    let block: Block = { sum: value * weight, weight, length: 1 };
    for (let before = blocks.at(-1); before !== undefined; before = blocks.at(-1)) {
      if (before.sum / before.weight > block.sum / block.weight) break;
      blocks.pop();
      block = {
        sum: before.sum + block.sum,
        weight: before.weight + block.weight,
        length: before.length + block.length,
      };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, weight, length }) => Array<number>(length).fill(sum / weight));
}
