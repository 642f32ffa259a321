import type { ExchangeRate } from '@decision-ledger/client/api/settings-forms';

/** The newest first, those of one day by currency. */
export function sortedRates(rates: readonly ExchangeRate[]): ExchangeRate[] {
  return [...rates].sort(
    (a, b) => b.date.localeCompare(a.date) || pairOf(a).localeCompare(pairOf(b)),
  );
}

/** With this rate in place of one for the same pair and day. */
export function withRate(rates: readonly ExchangeRate[], rate: ExchangeRate): ExchangeRate[] {
  return [...withoutRate(rates, rate), rate];
}

export function withoutRate(rates: readonly ExchangeRate[], rate: ExchangeRate): ExchangeRate[] {
  return rates.filter((one) => keyOf(one) !== keyOf(rate));
}

export function keyOf(rate: ExchangeRate): string {
  return `${rate.date} ${pairOf(rate)}`;
}

function pairOf({ from, to }: ExchangeRate): string {
  return `${from} ${to}`;
}

const RATE = /^\d{1,12}(?:\.\d{1,12})?$/;

/** Why a text is no rate; null if it is one. */
export function problemOfRate(text: string): string | null {
  if (!RATE.test(text))
    return 'Enter a decimal such as 1.0825, with at most 12 digits on each side of the point.';
  return /[1-9]/.test(text) ? null : 'A rate must be above zero.';
}
