const DAY = 86_400_000;

/**
 * The first month (UTC, `2026-04`) that stays open: all earlier ones ended `days` days ago or more.
 * @param now ms
 */
export function firstOpenMonth(now: number, days: number): string {
  return new Date(now - days * DAY).toISOString().slice(0, 7);
}

/** The times (ms) of the start of a month (`2026-04`), and of the next. */
export function spanOfMonth(month: string): { readonly start: number; readonly end: number } {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const at = (index: number) => new Date(0).setUTCFullYear(year, index, 1);
  return { start: at(number - 1), end: at(number) };
}
