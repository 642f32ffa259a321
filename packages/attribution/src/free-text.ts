import { readAmount } from '@decision-ledger/amounts/read-amount';
import { isDateLike, isDecimal } from './identifiers.js';

const MIN_CHARS = 4;
const MAX_CHARS = 100;
const TOKEN_CHARS = /[\p{L}\p{N}_.@-]/u;
const ESCAPED = /(?:%[0-9a-f]{2})+/gi;

/** A free text or URL as it is read: NFKC, with plain hyphens, without percent-encoding. */
export function plainText(text: string): string {
  return text.replace(ESCAPED, unescaped).normalize('NFKC').replaceAll('\u2010', '-');
}

function unescaped(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

/**
 * The tokens of a plain text that may be identifiers: with a digit, at least four characters.
 * One pass over at most `maxChars` characters.
 */
export function textTokens(text: string, maxChars: number): string[] {
  const tokens: string[] = [];
  let token = '';
  const read = text.slice(0, maxChars);
  for (const char of `${read} `) {
    if (TOKEN_CHARS.test(char)) {
      token += token.length <= MAX_CHARS ? char : '';
      continue;
    }
    if (token !== '') tokens.push(trimmed(token));
    token = '';
  }
  return tokens.filter((found) => found.length >= MIN_CHARS && found.length <= MAX_CHARS);
}

/** Whether a token of a text names something: dates and decimals do not. */
export function isTextId(token: string): boolean {
  if (!/[0-9]/.test(token) || isDateLike(token)) return false;
  return !isDecimal(token) || /^[0-9]{4,}$/.test(token);
}

const SYMBOL = '(?:[€£$]|\\p{Lu}{3})';
const FIGURES = "(?:[0-9]{1,3}(?:[.,'][0-9]{3})+|[0-9]{1,12})[.,][0-9]{2}";
/** Not a part of a word, a date, a version or a longer number. */
const AMOUNTS = new RegExp(
  `(?<![\\p{L}\\p{N}_@][-.,']?)(?:(${SYMBOL}) ?)?(${FIGURES})` +
    `(?![\\p{L}\\p{N}_@]|[-.,'][\\p{L}\\p{N}])(?: ?(${SYMBOL})(?!\\p{L}))?`,
  'gu',
);
const ONLY_COMMA = /^[0-9]+,/;

/**
 * The amounts with two decimals that a plain text states, as they are written, with a currency beside
 * them. `12,34` without one may be two numbers.
 */
export function textAmounts(text: string): string[] {
  return [...text.matchAll(AMOUNTS)].flatMap(([, before = '', figures = '', after = '']) => {
    const withCurrency = [`${before}${figures}`, `${figures}${after}`].find(
      (reading) => reading !== figures && readAmount(reading) !== null,
    );
    if (withCurrency !== undefined) return [withCurrency];
    return ONLY_COMMA.test(figures) || readAmount(figures) === null ? [] : [figures];
  });
}

/** Without punctuation at its ends. */
function trimmed(token: string): string {
  let [from, to] = [0, token.length];
  while (from < to && isPunctuation(token[from])) from += 1;
  while (to > from && isPunctuation(token[to - 1])) to -= 1;
  return token.slice(from, to);
}

const isPunctuation = (char: string | undefined): boolean =>
  char === '.' || char === '-' || char === '_' || char === '@';

const DAY_MS = 86_400_000;
const DATES =
  /(?<![0-9])(?:((?:19|20)[0-9]{2})-([0-9]{2})(?:-([0-9]{2}))?|([0-9]{1,2})([./])([0-9]{1,2})\5((?:19|20)[0-9]{2})|([0-9]{1,2})[./]((?:19|20)[0-9]{2}))(?![0-9])/g;
/** What each of them contains; most texts do not. */
const YEAR = /(?:19|20)[0-9]{2}/;
const MAX_DATES = 8;

/**
 * The dates that a text states, in the ISO order or with the year last. With a slash, day or month may be
 * first, so a date that may be read in both ways gives both.
 * @returns at most 9, as `day 2025-03-14` or `month 2025-03`
 */
export function datesIn(text: string): string[] {
  if (!YEAR.test(text)) return [];
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
