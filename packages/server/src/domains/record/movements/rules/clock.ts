import type { Clock } from '@decision-ledger/contract/source-profiles';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** When money moved: ms after its recorded time, or before it if negative. */
export interface Span {
  readonly earliest: number;
  readonly latest: number;
}

const AS_RECORDED: Span = { earliest: 0, latest: 0 };

/** No clock is so far from UTC as this, with a whole day. */
export const FARTHEST_MS = DAY + 14 * HOUR;

/** @param timestamp as recorded, in ms; @param timeZone of days whose clock names none */
export function spanOf(clock: Clock | null, timestamp: number, timeZone: string): Span {
  if (clock === null) return AS_RECORDED;
  const { time_zone, whole_days } = clock;
  if (!whole_days) {
    if (time_zone === undefined) return AS_RECORDED;
    const shift = instantOf(timestamp, time_zone) - timestamp;
    return { earliest: shift, latest: shift };
  }
  const day = Math.floor(timestamp / DAY) * DAY;
  const midnight = (local: number) => instantOf(local, time_zone ?? timeZone) - timestamp;
  return { earliest: midnight(day), latest: midnight(day + DAY) };
}

/** The day, from 1970-01-01 on, that the clock of a source shows: of one that states instants, in the time zone of days. */
export function dayOf(clock: Clock | null, timestamp: number, timeZone: string): number {
  const shown = clock === null ? timestamp + offsetAt(timestamp, timeZone) : timestamp;
  return Math.floor(shown / DAY);
}

/** The instant at which clocks of a zone show what UTC shows at another one. */
function instantOf(local: number, timeZone: string): number {
  const near = local - offsetAt(local, timeZone);
  return local - offsetAt(near, timeZone);
}

const OFFSET = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;
const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const text = OFFSET.test(timeZone) ? timeZone : formatOf(timeZone).format(instant);
  const [, sign, hours, minutes, seconds = 0] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return 0;
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, made);
  return made;
}
