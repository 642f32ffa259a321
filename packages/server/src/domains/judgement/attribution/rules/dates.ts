const DAY_MS = 86_400_000;
const DATES =
  /(?<![0-9])(?:((?:19|20)[0-9]{2})-([0-9]{2})(?:-([0-9]{2}))?|([0-9]{1,2})([./])([0-9]{1,2})\5((?:19|20)[0-9]{2})|([0-9]{1,2})[./]((?:19|20)[0-9]{2}))(?![0-9])/g;
const MAX_DATES = 8;

/**
 * The dates that a text states, in the ISO order or with the year last. With a slash, day or month may be
 * first, so a date that may be read in both ways gives both.
 * @returns at most 9, as `day 2025-03-14` or `month 2025-03`
 */
export function datesIn(text: string): string[] {
  const dates: string[] = [];
  for (const match of text.matchAll(DATES)) {
    if (dates.length >= MAX_DATES) break;
    const [, year, month, day, first, separator, second, yearAfter, onlyMonth, yearOfMonth] = match;
    if (year !== undefined) dates.push(...dateOf(year, month, day));
    else if (yearOfMonth !== undefined) dates.push(...dateOf(yearOfMonth, onlyMonth, undefined));
    else {
      dates.push(...dateOf(yearAfter, second, first));
      if (separator === '/' && first !== second) dates.push(...dateOf(yearAfter, first, second));
    }
  }
  return dates;
}

/** The day of a canonical value; null if it states none. */
export function dayOf(canonical: string): number | null {
  const [, year, month, day] = CANONICAL_DAY.exec(canonical) ?? [];
  return day === undefined ? null : Math.floor(Date.parse(`${year}-${month}-${day}`) / DAY_MS);
}

/** Whether a canonical value is a day or a month that a text states. */
export const isStatedDate = (canonical: string): boolean => CANONICAL_DATE.test(canonical);

const CANONICAL_DATE = /^(?:day[0-9]{8}|month[0-9]{6})$/;
const CANONICAL_DAY = /^day([0-9]{4})([0-9]{2})([0-9]{2})$/;

function dateOf(year = '', month = '', day: string | undefined): string[] {
  const padded = month.padStart(2, '0');
  if (Number(month) < 1 || Number(month) > 12) return [];
  if (day === undefined) return [`month ${year}-${padded}`];
  const iso = `${year}-${padded}-${day.padStart(2, '0')}`;
  return Number.isNaN(Date.parse(iso)) ? [] : [`day ${iso}`];
}
