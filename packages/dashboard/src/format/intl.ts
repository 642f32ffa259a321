const formats = new Map<string, Intl.NumberFormat>();

/** A format of numbers. Each is made once, because making one takes longer than using it. */
export function numberFormat(
  locale: string | undefined,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const name = `${locale}/${JSON.stringify(options)}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale, options);
  formats.set(name, format);
  return format;
}
