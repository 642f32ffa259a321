import type { ExchangeRate } from '@decision-ledger/contract/settings';
import { Big } from 'big.js';

/**
 * Converts an amount into the base currency by the latest rate dated on or before its day (UTC); null
 * if there is none.
 * @param amount decimal text
 * @param currency null means the base currency
 * @param at ms
 */
export type Convert = (amount: string, currency: string | null, at: number) => Big | null;

export function converter(base: string, rates: readonly ExchangeRate[]): Convert {
  const newestFirst = rates
    .filter(({ to }) => to === base)
    .sort((a, b) => (a.date < b.date ? 1 : -1));
  return (amount, currency, at) => {
    if (currency === null || currency === base) return new Big(amount);
    const day = new Date(at).toISOString().slice(0, 10);
    const rate = newestFirst.find(({ from, date }) => from === currency && date <= day);
    return rate === undefined ? null : new Big(amount).times(rate.rate);
  };
}

/** Decimals of stored estimates: sums over many small ones stay exact enough. */
const DIGITS = 6;

/** @returns text for a NUMERIC column */
export function numericText(value: number): string {
  return value.toFixed(DIGITS);
}
