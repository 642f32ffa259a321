import { formatDay } from './dates.ts';
import { localeOf } from './intl.ts';

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
