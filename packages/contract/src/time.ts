const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DAY_MS = 86_400_000;

function dayStart(text: string): number | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.getTime() : null;
}

/**
 * Reads an RFC 3339 date-time. Digits beyond the millisecond are cut off, not rounded.
 * @returns milliseconds since the epoch, or null when the text is not such a date-time
 */
export function parseTimestamp(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const day = dayStart(match[1] ?? '');
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4])];
  if (day === null || hour > 23 || minute > 59 || second > 59) return null;
  const [offsetHour, offsetMinute] = [Number(match[7] ?? 0), Number(match[8] ?? 0)];
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const millis = Number((match[5] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (match[6] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  return inRange(day + ((hour * 60 + minute) * 60 + second) * 1000 + millis - offset);
}

function inRange(ms: number): number | null {
  const first = -62_135_596_800_000;
  const last = 253_402_300_799_999;
  return ms >= first && ms <= last ? ms : null;
}

/** @returns the first instant (ms) that a range beginning at this date or date-time holds */
export function parseRangeStart(text: string): number | null {
  return dayStart(text) ?? parseTimestamp(text);
}

/** @returns the first instant (ms) after the range; a bare date includes that whole day */
export function parseRangeEnd(text: string): number | null {
  const day = dayStart(text);
  return day === null ? parseTimestamp(text) : day + DAY_MS;
}

/** Milliseconds since the epoch as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
