import type { LagKnowledge } from './snapshot.js';

/** A span of time, both ends included, in ms. */
export interface TimeInterval {
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
export function intervalOf(timestamp: number, timeZone: string): TimeInterval {
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
export function hoursBetween(decided: number, { from, to }: TimeInterval): number {
  const middle = (Math.max(from, decided) + Math.max(to, decided)) / 2;
  return Math.max(MIN_HOURS, (middle - decided) / HOUR_MS);
}

/** Delays with which a distribution weighs as much as all wider ones. */
const WIDER_LAGS = 5;
/** The delay to which a density is compared: ten days of a uniform background. */
export const BACKGROUND_HOURS = 240;
/** Part of the cold start with a heavy tail, because some money comes after months. */
const TAIL = 0.1;
const TAIL_HALF_LIVES = 4;
const MAX_EVIDENCE = 4;
/** Between candidates, a delay may say more than against "none", as far as delays are known. */
const MAX_BETWEEN = 8;
/** Part of all delays that follows no pattern: beyond the half-life uniform in the logarithm, to 400 days. */
const ODD = 0.1;
const ODD_LOG_RANGE = Math.log(400);

/**
 * The log of how much more usual a delay is than in a uniform background of ten days.
 * @param hours above 0
 * @param halfLife hours, of the cold start
 * @param levels what is known of delays, from the widest (the ledger) to the narrowest (the pair)
 */
export function timeEvidence(
  hours: number,
  halfLife: number,
  levels: readonly LagKnowledge[],
): number {
  const density = levels.reduce(
    (wider, lags) => {
      const known = lags.count / (lags.count + WIDER_LAGS);
      return known === 0 ? wider : known * logNormal(hours, lags) + (1 - known) * wider;
    },
    coldDensity(hours, halfLife),
  );
  const robust = (1 - ODD) * density + ODD / (ODD_LOG_RANGE * Math.max(hours, halfLife));
  const evidence = Math.log(robust * BACKGROUND_HOURS);
  const unknown = levels.reduce((rest, { count }) => rest * (WIDER_LAGS / (count + WIDER_LAGS)), 1);
  const bound = unknown * MAX_EVIDENCE + (1 - unknown) * MAX_BETWEEN;
  return Math.max(-bound, Math.min(MAX_EVIDENCE, evidence));
}

/**
 * What to add to the evidence of all rivals, so that the likeliest delay is bounded against "none" and the
 * differences between them remain: a late event is still theirs, but not each one's alike.
 */
export function timeOffset(evidence: readonly number[]): number {
  return evidence.length === 0 ? 0 : Math.max(0, -MAX_EVIDENCE - Math.max(...evidence));
}

/** So many delays are known well enough to say which are unusual. */
const KNOWN_LAGS = 8;
/** One value in twenty of a normal distribution is so many deviations above the mean, or more. */
const LATEST_TWENTIETH = 1.64;

/**
 * Whether a delay is longer than nineteen in twenty of those that are known.
 * @param levels as for the evidence: the narrowest of which enough is known decides
 */
export function isLate(hours: number, levels: readonly LagKnowledge[]): boolean {
  const known = levels.filter(({ count }) => count >= KNOWN_LAGS).at(-1);
  return known !== undefined && Math.log(hours) > known.mean + LATEST_TWENTIETH * known.sd;
}

function coldDensity(hours: number, halfLife: number): number {
  const rate = Math.LN2 / halfLife;
  const scale = TAIL_HALF_LIVES * halfLife;
  const tail = scale / (scale + hours) ** 2;
  return (1 - TAIL) * rate * Math.exp(-rate * hours) + TAIL * tail;
}

function logNormal(hours: number, { mean, sd }: LagKnowledge): number {
  const z = (Math.log(hours) - mean) / sd;
  return Math.exp(-(z * z) / 2) / (sd * hours * Math.sqrt(2 * Math.PI));
}
