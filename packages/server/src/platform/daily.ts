const DAY = 86_400_000;

/**
 * The last time (ms) at which a daily run was due.
 * @param now ms
 * @param at time of day (UTC) of the run, in ms
 */
export function lastDueTime(now: number, at: number): number {
  return Math.floor((now - at) / DAY) * DAY + at;
}

/** The day (UTC, `2026-04-16`) of that time. */
export function lastDueDay(now: number, at: number): string {
  return new Date(lastDueTime(now, at)).toISOString().slice(0, 10);
}
