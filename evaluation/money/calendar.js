/** Times are milliseconds since 1970, in UTC. */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const YEAR_START = Date.UTC(2025, 0, 1);
export const YEAR_DAYS = 365;

/** @param {number} at */
export const dayOf = (at) => new Date(at).toISOString().slice(0, 10);

/** @param {number} at the first instant of its day */
export const startOfDay = (at) => Math.floor(at / DAY) * DAY;

/**
 * A moment of business on a day of the year: more in the afternoon, to the second.
 * @param {import('../random.js').Random} random
 * @param {number} day from 0
 */
export function momentOf(random, day) {
  const seconds = Math.floor(6 * 3600 + 15 * 3600 * Math.sqrt(random.next()));
  return YEAR_START + day * DAY + seconds * 1000;
}

/**
 * @param {import('../random.js').Random} random
 * @param {number} most
 */
export const minutes = (random, most) => random.below(most * 60) * 1000;

/** The last moments of the months of the year, and two later ones for what comes late. */
export const MONTH_ENDS = [
  ...Array.from({ length: 13 }, (_, month) => Date.UTC(2025, month + 1, 1) - 1),
  Date.UTC(2026, 3, 30),
];
