import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import { type Bin, mergeBins } from './protect-counts.js';

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
const BUCKETS: readonly number[] = [0, 100, 1000, 10_000, 100_000, 1_000_000];

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

/** Sizes of losses. Amounts are decimal text in the base currency. */
export interface LossSizes {
  readonly sum: string;
  readonly mean: string | null;
  readonly median: string | null;
  readonly p95: string | null;
  readonly max: string | null;
  readonly buckets: readonly Bin[];
}

/** @param losses none, or enough to be shown */
export function lossSizesOf({ count, sum, bySize, buckets }: Losses, currency: string): LossSizes {
  const digits = minorUnits(currency);
  const sizes = [...bySize].sort(([a], [b]) => new Big(a).cmp(b));
  return {
    sum: sum.toFixed(digits, HALF_EVEN),
    mean: count === 0 ? null : sum.div(count).toFixed(digits, HALF_EVEN),
    median: atRank(sizes, Math.ceil(0.5 * count)),
    p95: atRank(sizes, Math.ceil(0.95 * count)),
    max: atRank(sizes, count),
    buckets: mergeBins(binsOf(buckets)) ?? [],
  };
}

/** The size of the loss at a rank, starting at 1. */
function atRank(sizes: readonly (readonly [string, number])[], rank: number): string | null {
  let below = 0;
  for (const [size, count] of sizes) {
    below += count;
    if (below >= rank) return size;
  }
  return null;
}

function binsOf(buckets: readonly number[]): Bin[] {
  return BUCKETS.map((from, at) => ({
    from,
    to: BUCKETS[at + 1] ?? null,
    count: buckets[at] ?? 0,
  }));
}
