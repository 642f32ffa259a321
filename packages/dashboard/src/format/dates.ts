import { localeOf, numberFormat } from './intl.ts';

/** How a time is written: always with the name of the month or the year first. `time` has seconds. */
export type DateStyle = 'day' | 'moment' | 'time';

const STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  day: { dateStyle: 'medium' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  time: { dateStyle: 'medium', timeStyle: 'medium' },
};

export interface DateOptions {
  /** BCP 47. Default: the reader's. */
  readonly locale?: string | undefined;
  /** IANA name. Default: that of the reader's device. */
  readonly timeZone?: string | undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** @param time RFC 3339; any other text is returned as it is */
export function formatDate(time: string, style: DateStyle, options: DateOptions = {}): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : formatOf(style, options).format(ms);
}

/** @param day YYYY-MM-DD: a calendar day, the same in every time zone */
export function formatDay(day: string, locale?: string): string {
  return formatDate(`${day}T00:00:00Z`, 'day', { locale, timeZone: 'UTC' });
}

function formatOf(style: DateStyle, { locale, timeZone }: DateOptions): Intl.DateTimeFormat {
  const name = `${style}/${locale}/${timeZone}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(localeOf(locale), {
    ...STYLES[style],
    ...(timeZone !== undefined && { timeZone }),
  });
  formats.set(name, format);
  return format;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * The distance of a time from now, such as "2 minutes ago".
 * @param now ms since the epoch
 */
export function formatAge(time: string, now: number, locale?: string): string {
  const seconds = (Date.parse(time) - now) / 1000;
  if (Number.isNaN(seconds)) return time;
  const format = new Intl.RelativeTimeFormat(localeOf(locale), { numeric: 'auto' });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(Math.trunc(seconds), 'second');
}

/** The time between two times, in the largest unit that fits, such as "3 days". */
export function formatSpan(from: string, to: string, locale?: string): string {
  const seconds = Math.abs(Date.parse(to) - Date.parse(from)) / 1000;
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return numberFormat(locale, style).format(Math.trunc(seconds / size));
}
