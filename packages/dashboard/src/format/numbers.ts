/** BCP 47; undefined is the reader's. */
type Locale = string | undefined;

export function formatCount(count: number, locale?: Locale): string {
  return new Intl.NumberFormat(locale).format(count);
}

/** A share from 0 to 1 as a percentage. */
export function formatShare(share: number, digits = 0, locale?: Locale): string {
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: digits,
  }).format(share);
}

/** A factor or a rate, to three significant digits. */
export function formatFactor(factor: number, locale?: Locale): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }).format(factor);
}

/** A value of an axis, such as "12K". It is rounded, so the exact amount stands beside the chart. */
export function formatCompact(value: number, locale?: Locale): string {
  const options = { notation: 'compact', maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(locale, options).format(value);
}
