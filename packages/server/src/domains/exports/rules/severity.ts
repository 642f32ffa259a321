import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import { type Bin, mergeBins } from './merge-bins.js';

/** Where a bucket of losses ends; the last has no end. */
const BOUNDS = [100, 1000, 10_000, 100_000, 1_000_000];

const HALF_EVEN = 2;
/** Of figures that may be those of one loss. */
const FIGURES = 2;

/** How large losses are. Amounts are decimal text in the base currency. */
export interface Severity {
  readonly sum: string;
  readonly mean: string | null;
  readonly median: string | null;
  readonly p95: string | null;
  readonly max: string | null;
  readonly buckets: readonly Bin[];
}

/** @param losses none, or enough to be shown */
export function severityOf(losses: readonly Big[], currency: string): Severity {
  const sorted = [...losses].sort((a, b) => a.cmp(b));
  const sum = sorted.reduce((so_far, loss) => so_far.plus(loss), new Big(0));
  const digits = minorUnits(currency);
  const rank = (share: number) => {
    const loss = sorted[Math.ceil(share * sorted.length) - 1];
    return loss === undefined ? null : roughly(loss);
  };
  return {
    sum: sum.toFixed(digits, HALF_EVEN),
    mean: sorted.length === 0 ? null : sum.div(sorted.length).toFixed(digits, HALF_EVEN),
    ...{ median: rank(0.5), p95: rank(0.95), max: rank(1) },
    buckets: mergeBins(bucketsOf(sorted)) ?? [],
  };
}

/** To its leading figures. */
export function roughly(amount: Big): string {
  return new Big(amount.toPrecision(FIGURES, HALF_EVEN)).toFixed();
}

function bucketsOf(sorted: readonly Big[]): Bin[] {
  return [0, ...BOUNDS].map((from, at) => {
    const to = BOUNDS[at] ?? null;
    const within = sorted.filter((loss) => loss.gte(from) && (to === null || loss.lt(to)));
    return { from, to, count: within.length };
  });
}
