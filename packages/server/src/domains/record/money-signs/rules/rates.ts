import type { ExchangeRate, Settings } from '@decision-ledger/contract/settings';
import { Big } from 'big.js';

/** Rates of exchange on days, by the latest rate dated on or before the day (UTC). */
export interface Rates {
  /** What one unit of each other currency is worth in a currency. @param at ms */
  into(currency: string, at: number): ReadonlyMap<string, number>;
  /** An amount without sign in the base currency; null without a rate. @param amount decimal text */
  worth(amount: string, currency: string, at: number): string | null;
}

/** Decimals of a rate that is worked out from two others. */
const DIGITS = 12;

/** Results are cached by currency and day, because many events share both. */
export function ratesOf({
  base_currency: base,
  exchange_rates,
}: Pick<Settings, 'base_currency' | 'exchange_rates'>): Rates {
  const toBase = newestFirst(exchange_rates.filter(({ to }) => to === base));
  const known = new Map<string, ReadonlyMap<string, number>>();
  const rateOf = (currency: string, day: string): Big | null => {
    if (currency === base) return new Big(1);
    const found = toBase.get(currency)?.find(({ date }) => date <= day);
    return found === undefined ? null : new Big(found.rate);
  };
  const into = (currency: string, at: number) => {
    const day = dayOf(at);
    const key = `${currency} ${day}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const one = rateOf(currency, day);
    const rates = new Map<string, number>();
    for (const other of one === null ? [] : [base, ...toBase.keys()]) {
      const rate = other === currency ? null : rateOf(other, day);
      if (rate !== null && one !== null) {
        rates.set(other, Number(rate.div(one).round(DIGITS).toString()));
      }
    }
    known.set(key, rates);
    return rates;
  };
  return {
    into,
    worth(amount, currency, at) {
      const rate = rateOf(currency, dayOf(at));
      return rate === null ? null : new Big(amount).abs().times(rate).toFixed();
    },
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function newestFirst(rates: readonly ExchangeRate[]): Map<string, ExchangeRate[]> {
  const sorted = [...rates].sort((a, b) => (a.date < b.date ? 1 : -1));
  const byCurrency = new Map<string, ExchangeRate[]>();
  for (const rate of sorted) {
    const others = byCurrency.get(rate.from);
    if (others === undefined) byCurrency.set(rate.from, [rate]);
    else others.push(rate);
  }
  return byCurrency;
}
