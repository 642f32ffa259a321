import { likelyRange } from '@decision-ledger/attribution/likely-range';
import { minorUnits } from '@decision-ledger/contract/currency';
import type { LikelyNet } from '@decision-ledger/contract/likely-net';
import { Big } from 'big.js';
import { sumAmounts } from './books.js';
import { HALF_EVEN, printAmount } from './money.js';

/** Money of one event type whose cause nobody has named, of about the same probability of a recorded cause. */
export interface UnnamedSum {
  readonly event_type: string;
  /** The mean of its events, 0 to 1. */
  readonly chance: number;
  /** Decimal text in the base currency: each event times its probability. */
  readonly likely: string;
  /** Sum of the amounts above zero, in the base currency. */
  readonly gains: number;
  /** Sum of those below. */
  readonly losses: number;
  readonly squares: number;
}

/** What is known of money whose cause nobody has named. */
export interface Unnamed {
  readonly sums: readonly UnnamedSum[];
  /** Of how many events of each type somebody named the cause, or that there is none. */
  readonly answers: ReadonlyMap<string, number>;
}

/** What is printed already. */
export interface PrintedNets {
  /** The net of what is confirmed. */
  readonly confirmed: string;
  /** Confirmed and matched. */
  readonly headline: string;
  readonly total: string;
}

/**
 * The range over all money: proven, likely and unknown money add up to the total. The ends are printed at their rounded
 * distance from zero.
 */
export function printLikelyNet(
  currency: string,
  { confirmed, headline, total }: PrintedNets,
  { sums, answers }: Unnamed,
): LikelyNet {
  const digits = minorUnits(currency);
  const likely = sumAmounts(sums.map((sum) => new Big(sum.likely))).round(digits, HALF_EVEN);
  const expected = likely.plus(confirmed);
  const range = likelyRange(
    sums.map(({ event_type, ...sum }) => ({ ...sum, eventType: event_type })),
    answers,
  );
  // The expected sum takes the probabilities as they are, the range takes none of them for certain.
  const low = least(new Big(confirmed).plus(end(range.low, digits)), expected);
  const high = greatest(new Big(confirmed).plus(end(range.high, digits)), expected);
  const print = (amount: Big) => printAmount(amount, currency);
  return {
    proven: confirmed,
    likely: print(likely),
    unknown: print(new Big(total).minus(expected)),
    expected: print(expected),
    low: print(low),
    high: print(high),
    headline: new Big(headline).lt(low) ? 'below' : new Big(headline).gt(high) ? 'above' : 'within',
  };
}

const end = (value: number, digits: number): Big => new Big(value).round(digits, HALF_EVEN);
const least = (a: Big, b: Big): Big => (a.lt(b) ? a : b);
const greatest = (a: Big, b: Big): Big => (a.gt(b) ? a : b);
