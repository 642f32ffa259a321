import { Big } from 'big.js';
import { CURRENCIES, type Currency } from './people.js';
import { SeededRandom } from './random.js';

/** A rate into the currency of the books, from a day (`2026-04-01`) on. */
export interface DatedRate {
  readonly from: string;
  readonly to: string;
  readonly date: string;
  readonly rate: string;
}

const FIRST: Readonly<Record<Exclude<Currency, 'EUR'>, string>> = {
  USD: '0.9215',
  GBP: '1.1720',
  CHF: '1.0480',
  SEK: '0.0881',
  PLN: '0.2315',
};

/** The largest step of a month: 2 %. */
const STEP = 0.02;

/** A rate of each currency for each month from that of `start` to that of `end` (ms). */
export function makeRates(seed: string, start: number, end: number): readonly DatedRate[] {
  const [base, ...others] = CURRENCIES;
  return others.flatMap((from) => {
    const random = new SeededRandom(`${seed} rate ${from}`);
    let rate = new Big(FIRST[from]);
    return monthsOf(start, end).map((date) => {
      const dated = { from, to: base, date, rate: rate.toFixed(6) };
      rate = rate.times(new Big(random.between(1 - STEP, 1 + STEP).toFixed(6)));
      return dated;
    });
  });
}

/** The first days of the months. */
function monthsOf(start: number, end: number): string[] {
  const first = new Date(start);
  const days: string[] = [];
  for (let month = 0; ; month += 1) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1);
    if (at > end) return days;
    days.push(new Date(at).toISOString().slice(0, 10));
  }
}
