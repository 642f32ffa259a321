import { numberFormat } from './intl.ts';

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
