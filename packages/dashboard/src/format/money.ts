import { isDecimal, scaleOf } from './decimal.ts';
import { numberFormat } from './intl.ts';

/** How the amount of a figure is shown: `signed` puts a plus before a gain. */
export interface MoneyStyle {
  readonly signed?: boolean;
  /** BCP 47. Default: the reader's. */
  readonly locale?: string | undefined;
}

/**
 * The amount in the reader's locale, with every digit that it has.
 * @param amount a decimal; any other text is returned as it is
 * @param currency ISO 4217
 */
export function formatMoney(amount: string, currency: string, style: MoneyStyle = {}): string {
  if (!isDecimal(amount)) return `${amount} ${currency}`;
  return formatOf(currency, scaleOf(amount), style).format(amount);
}

function formatOf(currency: string, scale: number, { signed = false, locale }: MoneyStyle) {
  const digits = minorDigitsOf(currency);
  return numberFormat(locale, {
    ...{ style: 'currency', currency, currencyDisplay: 'code' },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, scale) },
    signDisplay: signed ? 'exceptZero' : 'negative',
  });
}

function minorDigitsOf(currency: string): number {
  const format = numberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
