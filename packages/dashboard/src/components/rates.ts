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

/** The rate of the same pair and day; null: none. */
export function sameDay(rates: readonly ExchangeRate[], rate: ExchangeRate): ExchangeRate | null {
  return rates.find((one) => keyOf(one) === keyOf(rate)) ?? null;
}

/** A rate of a pair and day, before and after a change; null: none. */
export interface RateChange {
  readonly before: ExchangeRate | null;
  readonly after: ExchangeRate | null;
}

/** The rates without this change; null if the rate has changed since. */
export function withoutChange(
  rates: readonly ExchangeRate[],
  { before, after }: RateChange,
): ExchangeRate[] | null {
  const subject = after ?? before;
  if (subject === null || sameDay(rates, subject)?.rate !== after?.rate) return null;
  return before === null ? withoutRate(rates, subject) : withRate(rates, before);
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
