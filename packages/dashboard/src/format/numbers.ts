import { isDecimal, isZero, scaleOf, shortened } from './decimal.ts';
import { numberFormat } from './locale.ts';

/** BCP 47; undefined is the reader's. */
type Locale = string | undefined;

export function formatCount(count: number, locale?: Locale): string {
  return numberFormat(locale).format(count);
}

/** A number of things in words, such as "1 decision" and "2 decisions". */
export function formatQuantity(count: number, one: string, locale?: Locale): string {
  return `${formatCount(count, locale)} ${count === 1 ? one : `${one}s`}`;
}

/** A share from 0 to 1 as a percentage, always with these digits, so that the numbers of a column align. */
export function formatShare(share: number, digits = 0, locale?: Locale): string {
  return numberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);
}

/** A factor or a rate, to three significant digits. */
export function formatFactor(factor: number, locale?: Locale): string {
  return numberFormat(locale, { maximumSignificantDigits: 3 }).format(factor);
}

/** A value of an axis, such as "12K". It is rounded, so the exact amount stands beside the chart. */
export function formatCompact(value: number, locale?: Locale): string {
  const options = { notation: 'compact', maximumSignificantDigits: 3 } as const;
  return numberFormat(locale, options).format(value);
}

/** The size of a file, such as 1.4 MB. */
export function formatBytes(bytes: number, locale?: Locale): string {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  return numberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(size);
}

/** A number with exactly these digits after the point. */
export function formatDecimal(value: number, digits: number, locale?: Locale): string {
  return numberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** A number with its sign and two digits after the point. */
export function formatChange(value: number, locale?: Locale): string {
  return numberFormat(locale, {
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
    signDisplay: 'exceptZero',
  }).format(value);
}

/** How the amount of a figure is shown: `signed` puts a plus before a gain. */
interface MoneyStyle {
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
