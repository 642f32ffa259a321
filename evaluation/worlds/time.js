// When things happen in a world. All times are in ms.

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const START = Date.UTC(2025, 0, 6);

/** A random time within the span: office hours are busy, nights and weekends quiet. */
export function officeTime(random, span) {
  for (;;) {
    const time = START + random.next() * span;
    const date = new Date(time);
    const isOffice = date.getUTCHours() >= 8 && date.getUTCHours() < 19;
    const isWeekend = date.getUTCDay() % 6 === 0;
    if (random.chance((isOffice ? 1 : 0.15) * (isWeekend ? 0.3 : 1))) return time;
  }
}

/** A log-normal delay in ms. @param {number} hours its median @param {number} sigma of the logarithm */
export const lag = (random, hours, sigma) => random.logNormal(hours, sigma) * HOUR;

/** The midnight before, or at, the time. @param {number} time in ms */
export const midnight = (time) => Math.floor(time / DAY) * DAY;

/** @param {number} time in ms @returns {string} YYYY-MM-DD */
export const dayOf = (time) => new Date(time).toISOString().slice(0, 10);
