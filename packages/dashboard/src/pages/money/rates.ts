import type { ExchangeRate } from '@decision-ledger/client/api/settings-forms';

const RATE = /^\d{1,12}(?:\.\d{1,12})?$/;

/** Why a text is no rate; null if it is one. */
export function problemOfRate(text: string): string | null {
  if (!RATE.test(text))
    return 'Enter a decimal such as 1.0825, with at most 12 digits on each side of the point.';
  return /[1-9]/.test(text) ? null : 'A rate must be above zero.';
}

/** The rates with one more, which takes the place of another one of the same pair and day. */
export function withRate(rates: readonly ExchangeRate[], added: ExchangeRate): ExchangeRate[] {
  const others = rates.filter(
    ({ from, to, date }) => from !== added.from || to !== added.to || date !== added.date,
  );
  return [...others, added];
}
