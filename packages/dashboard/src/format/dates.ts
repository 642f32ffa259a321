import { localeOf, numberFormat } from './locale.ts';

/** How a time is written: always with the name of the month or the year first. `time` has seconds. */
export type DateStyle = 'day' | 'moment' | 'time';

const STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  day: { dateStyle: 'medium' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  time: { dateStyle: 'medium', timeStyle: 'medium' },
};

interface DateOptions {
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

/** A range of days (YYYY-MM-DD), both ends included. Without an end, it is open there. */
export interface DayRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * A range of days in words: "Q2 2026", "April 2026", "2026", or its first and last day.
 * @param locale BCP 47; default: the reader's
 */
export function formatRange({ from, to }: DayRange, locale?: string): string {
  if (from === undefined && to === undefined) return 'all time';
  if (from === undefined) return `until ${formatDay(to ?? '', locale)}`;
  if (to === undefined) return `since ${formatDay(from, locale)}`;
  if (from === to) return formatDay(from, locale);
  return formatPeriod(from, to, locale) ?? `${formatDay(from, locale)} to ${formatDay(to, locale)}`;
}

function formatPeriod(from: string, to: string, locale?: string): string | null {
  const year = yearOf(from);
  const month = Number(from.slice(5, 7)) - 1;
  const isPeriod = (months: number) => {
    const range = monthsFrom(year, month, months);
    return month % months === 0 && range.from === from && range.to === to;
  };
  if (isPeriod(12)) return String(year);
  if (isPeriod(3)) return `Q${month / 3 + 1} ${year}`;
  if (!isPeriod(1)) return null;
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(localeOf(locale), style).format(Date.parse(from));
}

interface Preset {
  readonly name: string;
  readonly range: DayRange;
}

/**
 * The ranges that people ask for, in UTC as the service counts.
 * @param now ms since the epoch
 */
export function presetsAt(now: number): readonly Preset[] {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const quarter = month - (month % 3);
  return [
    { name: 'This month', range: monthsFrom(year, month, 1) },
    { name: 'This quarter', range: monthsFrom(year, quarter, 3) },
    { name: 'Last quarter', range: monthsFrom(year, quarter - 3, 3) },
    { name: 'This year', range: monthsFrom(year, 0, 12) },
    { name: 'All time', range: {} },
  ];
}

/** @param month YYYY-MM */
export function monthRange(month: string): DayRange {
  return monthsFrom(yearOf(month), Number(month.slice(5, 7)) - 1, 1);
}

function monthsFrom(year: number, month: number, months: number) {
  return {
    from: dayOf(Date.UTC(year, month, 1)),
    to: dayOf(Date.UTC(year, month + months, 0)),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

/** What selects the content of a page: a range of days, and other filters by their names. */
export type Scope = DayRange & { readonly [filter: string]: string | number | undefined };

/**
 * The scope in words, such as "Q2 2026, agent refund-bot".
 * @param locale BCP 47; default: the reader's
 */
export function formatScope({ from, to, ...filters }: Scope, locale?: string): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  const words = named.map(([name, value]) => `${name} ${value}`);
  return [formatRange({ from, to }, locale), ...words].join(', ');
}
