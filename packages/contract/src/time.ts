import { invalidField } from './errors.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DAY_MS = 86_400_000;

function dayStart(text: string): number | null {
  const match = DATE.exec(text);
  return match === null ? null : startOf(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** The first millisecond of a day; null if the day does not exist. */
function startOf(year: number, month: number, day: number): number | null {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  return year < 100
    ? new Date(0).setUTCFullYear(year, month - 1, day)
    : Date.UTC(year, month - 1, day);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/**
 * Parses an RFC 3339 date-time. Digits beyond the millisecond are truncated.
 * @returns milliseconds since the epoch, or null for any other text
 * @example
 * ```ts
 * import { parseTimestamp } from '@decision-ledger/contract/time';
 *
 * parseTimestamp('2026-04-16T11:30:00+02:00'); // => 1776331800000
 * parseTimestamp('2026-04-16'); // => null
 * ```
 */
export function parseTimestamp(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const day = startOf(Number(match[1]), Number(match[2]), Number(match[3]));
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  if (day === null || hour > 23 || minute > 59 || second > 59) return null;
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const millis = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  return inRange(day + ((hour * 60 + minute) * 60 + second) * 1000 + millis - offset);
}

function inRange(ms: number): number | null {
  const first = -62_135_596_800_000;
  const last = 253_402_300_799_999;
  return ms >= first && ms <= last ? ms : null;
}

/**
 * @returns the first instant of a range that starts at this date or date-time, in ms; null if invalid
 *
 * @example
 * ```ts
 * import { parseRangeStart } from '@decision-ledger/contract/time';
 *
 * parseRangeStart('2026-04-16'); // => 1776297600000
 * ```
 */
export function parseRangeStart(text: string): number | null {
  return dayStart(text) ?? parseTimestamp(text);
}

/** @returns the first instant after a range that ends at this date-time or whole day, in ms; null if invalid */
function parseRangeEnd(text: string): number | null {
  const day = dayStart(text);
  return day === null ? parseTimestamp(text) : day + DAY_MS;
}

/**
 * Milliseconds since the epoch as `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * @example
 * ```ts
 * import { formatTimestamp } from '@decision-ledger/contract/time';
 *
 * formatTimestamp(1776297600000); // => '2026-04-16T00:00:00.000Z'
 * ```
 */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

export interface Range {
  /** Milliseconds since the epoch; undefined if the range is open. */
  readonly start: number | undefined;
  /** Milliseconds since the epoch: the first instant after the range. */
  readonly end: number | undefined;
}

/** The names of the two parameters at an endpoint. */
export interface RangeNames {
  readonly start: string;
  readonly end: string;
}

/**
 * Parses the bounds of a range, each a date or a date-time.
 * @throws LedgerError `validation_error` naming the parameter
 * @example
 * ```ts
 * import { readRange } from '@decision-ledger/contract/time';
 *
 * readRange('2026-04-01', '2026-04-30');
 * // => { start: 1775001600000, end: 1777593600000 }
 * ```
 */
export function readRange(
  startText: string | undefined,
  endText: string | undefined,
  names: RangeNames = { start: 'start', end: 'end' },
): Range {
  const start = readBound(names.start, startText, parseRangeStart);
  const end = readBound(names.end, endText, parseRangeEnd);
  const endAsWritten = endText === undefined ? null : parseRangeStart(endText);
  if (start !== undefined && endAsWritten !== null && start > endAsWritten) {
    throw invalidField(names.start, `must not be after ${names.end}`);
  }
  return { start, end };
}

function readBound(
  name: string,
  text: string | undefined,
  parse: (text: string) => number | null,
): number | undefined {
  if (text === undefined) return undefined;
  const bound = parse(text);
  if (bound === null) {
    throw invalidField(name, 'must be a date such as 2026-04-16 or an RFC 3339 date-time');
  }
  return bound;
}
