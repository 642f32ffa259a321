import { Big } from 'big.js';

/** Sums of losses; memory does not grow with the number of losses. */
export interface Losses {
  count: number;
  sum: Big;
  /** Counts by size, decimal text as returned by `roughly`. */
  readonly bySize: Map<string, number>;
  /** Counts from each bound of BUCKETS to the next. */
  readonly buckets: number[];
}

/** Lower bounds of the buckets; the last one is unbounded. */
export const BUCKETS: readonly number[] = [0, 100, 1000, 10_000, 100_000, 1_000_000];

const HALF_EVEN = 2;
/** Significant figures of an amount that may belong to a single loss. */
const FIGURES = 2;

export function noLosses(): Losses {
  return { count: 0, sum: new Big(0), bySize: new Map(), buckets: BUCKETS.map(() => 0) };
}

export function addLoss(losses: Losses, loss: Big): void {
  const size = roundToFigures(loss);
  const bucket = BUCKETS.findLastIndex((from) => loss.gte(from));
  losses.count += 1;
  losses.sum = losses.sum.plus(loss);
  losses.bySize.set(size, (losses.bySize.get(size) ?? 0) + 1);
  losses.buckets[bucket] = (losses.buckets[bucket] ?? 0) + 1;
}

/** Adds `more` to `losses`. */
export function joinLosses(losses: Losses, more: Losses): void {
  losses.count += more.count;
  losses.sum = losses.sum.plus(more.sum);
  for (const [size, count] of more.bySize) {
    losses.bySize.set(size, (losses.bySize.get(size) ?? 0) + count);
  }
  for (const [at, count] of more.buckets.entries()) {
    losses.buckets[at] = (losses.buckets[at] ?? 0) + count;
  }
}

/** Rounds to FIGURES; preserves the order of amounts. */
export function roundToFigures(amount: Big): string {
  return new Big(amount.toPrecision(FIGURES, HALF_EVEN)).toFixed();
}
