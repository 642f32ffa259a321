import { isDecimal, isZero, scaleOf, shortened } from './decimal.ts';
import { numberFormat } from './intl.ts';

/** How the amount of a figure is shown: `signed` puts a plus before a gain. */
export interface MoneyStyle {
  readonly signed?: boolean;
  /** BCP 47. Default: the reader's. */
  readonly locale?: string | undefined;
}

/**
 * The amount in the reader's locale, with the digits of its currency, rounded half to even as the service
 * rounds. An amount that is not zero and would read as zero is shown as less than the smallest amount.
 * @param amount a decimal; any other text is returned as it is
 * @param currency ISO 4217
 */
export function formatMoney(amount: string, currency: string, style: MoneyStyle = {}): string {
  if (!isDecimal(amount)) return `${amount} ${currency}`;
  const format = formatOf(currency, style);
  if (!isSliver(amount, currency)) return format.format(amount);
  const least = 10 ** -minorDigitsOf(currency);
  return amount.startsWith('-') ? `> ${format.format(-least)}` : `< ${format.format(least)}`;
}

/** Whether an amount has digits that its currency has not, so that it is shown rounded. */
export function isRounded(amount: string, currency: string): boolean {
  return isDecimal(amount) && scaleOf(shortened(amount)) > minorDigitsOf(currency);
}

/** Whether an amount that is not zero rounds to zero. */
function isSliver(amount: string, currency: string): boolean {
  if (isZero(amount)) return false;
  const digits = minorDigitsOf(currency);
  const [whole = '', part = ''] = amount.replace('-', '').split('.');
  if (!isZero(whole + part.slice(0, digits))) return false;
  // Half of the smallest amount rounds to the even side: zero.
  return /^(?:[0-4]|50*$)/.test(part.slice(digits));
}

function formatOf(currency: string, { signed = false, locale }: MoneyStyle) {
  const digits = minorDigitsOf(currency);
  return numberFormat(locale, {
    ...{ style: 'currency', currency, currencyDisplay: 'code', roundingMode: 'halfEven' },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
    signDisplay: signed ? 'exceptZero' : 'negative',
  });
}

function minorDigitsOf(currency: string): number {
  const format = numberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
