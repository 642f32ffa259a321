import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import { BUCKETS, type Losses } from './losses.js';
import { type Bin, mergeBins } from './merge-bins.js';

const HALF_EVEN = 2;

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
