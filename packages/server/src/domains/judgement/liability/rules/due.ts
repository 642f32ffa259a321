const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Time of day (UTC) of the nightly run. */
const RUN_AT = 2 * HOUR;

/**
 * The day (UTC, `2026-04-16`) of the last nightly run that is due.
 * @param now ms
 */
export function lastDue(now: number): string {
  const day = Math.floor((now - RUN_AT) / DAY) * DAY;
  return new Date(day).toISOString().slice(0, 10);
}
