/** A span of time, both ends included, in ms. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * When an event happened. A timestamp at midnight, UTC or of the organisation, states a day alone.
 * @param timestamp ms
 * @param timeZone IANA name; an unknown one counts as UTC
 */
export function intervalOf(timestamp: number, timeZone: string): Interval {
  const isDay = timestamp % DAY_MS === 0 || isLocalMidnight(timestamp, timeZone);
  return { from: timestamp, to: isDay ? timestamp + DAY_MS - 1 : timestamp };
}

const formats = new Map<string, Intl.DateTimeFormat | null>();

function isLocalMidnight(timestamp: number, timeZone: string): boolean {
  // Every offset is a multiple of a quarter of an hour, so that most timestamps need no calendar.
  if (timeZone === 'UTC' || timestamp % (HOUR_MS / 4) !== 0) return false;
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = formatOf(timeZone);
    formats.set(timeZone, format);
  }
  return format?.format(timestamp) === '00:00';
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    return new Intl.DateTimeFormat('en-GB', options);
  } catch {
    return null;
  }
}

const MIN_HOURS = 1 / 60;

/**
 * Hours from a decision to an event. For an event that is a day, to the middle of what lies after the
 * decision.
 * @param decided ms
 */
export function hoursBetween(decided: number, { from, to }: Interval): number {
  const middle = (Math.max(from, decided) + Math.max(to, decided)) / 2;
  return Math.max(MIN_HOURS, (middle - decided) / HOUR_MS);
}
