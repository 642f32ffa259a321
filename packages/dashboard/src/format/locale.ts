/** Scripts that run from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

const written = new Map<string | undefined, string>();

/**
 * The locale in which numbers and dates stand within the English texts of the pages: that of the reader, with the digits
 * 0 to 9 and the calendar of the API. One that runs from right to left would turn the sentence around it: then English.
 * @param locale BCP 47; default: the reader's
 */
export function localeOf(locale: string | undefined): string {
  const known = written.get(locale);
  if (known !== undefined) return known;
  const wanted = new Intl.Locale(locale ?? new Intl.NumberFormat().resolvedOptions().locale);
  const isTurned = RIGHT_TO_LEFT.has(wanted.maximize().script ?? '');
  const base = isTurned ? 'en-GB' : wanted.baseName;
  const found = new Intl.Locale(base, { calendar: 'gregory', numberingSystem: 'latn' }).toString();
  written.set(locale, found);
  return found;
}

const formats = new Map<string, Intl.NumberFormat>();

/** A format of numbers. Each is made once, because making one takes longer than using it. */
export function numberFormat(
  locale: string | undefined,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const name = `${locale}/${JSON.stringify(options)}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(localeOf(locale), options);
  formats.set(name, format);
  return format;
}

/** Letters that run from right to left, and characters that change the direction of what follows. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/u;

/**
 * A text of the ledger within another one: its direction ends with it. Other texts stay as they are.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text}\u2069` : text;
}
