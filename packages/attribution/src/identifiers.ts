import { type Key, normalise } from './keys.js';

const NOT_ASCII = /[^\0-\x7f]/;
const DECIMAL_DIGIT = /^\p{Nd}$/u;
const OTHER_DIGITS = /(?![0-9])[\p{Nd}\u066b\u066c]/gu;

/** Digits of any script, and the separators of Arabic numbers, as those of ASCII. */
export const withAsciiDigits = (text: string): string =>
  NOT_ASCII.test(text) ? text.replace(OTHER_DIGITS, toAscii) : text;

/** The digits of a script follow each other from zero. */
function toAscii(char: string): string {
  if (char === '\u066b') return '.';
  if (char === '\u066c') return ',';
  const code = char.codePointAt(0) ?? 0;
  let zero = code;
  while (DECIMAL_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

const PADDING = /(?<![0-9])0+(?=[0-9])/g;
const DIGIT_RUNS = /[0-9]+/g;

/** NFKC, case folded, without separators and zero padding: `ORD-00123` and `ord 123` are equal. */
export function canonicalOf(text: string): string {
  const joined = normalise(text);
  return joined.includes('0') ? joined.replace(PADDING, '') : joined;
}

const MIN_CORE = 6;

/** The longest run of digits of a canonical value; empty if it has fewer than six. */
export function digitCoreOf(canonical: string): string {
  if (canonical.length < MIN_CORE) return '';
  let core = '';
  for (const [run] of canonical.matchAll(DIGIT_RUNS)) if (run.length > core.length) core = run;
  return core.length >= MIN_CORE ? core : '';
}

/**
 * The shape of a canonical value: two values of different shapes under one key do not contradict each
 * other, because they may name different things.
 */
export function shapeOf(canonical: string): string {
  const letters = canonical.search(/[0-9]/);
  if (letters === -1) return 'letters';
  const rest = canonical.slice(letters);
  if (!/[^0-9]/.test(rest))
    return letters === 0 ? 'digits' : `${canonical.slice(0, letters)} digits`;
  return `mixed ${canonical.length}`;
}

const PREFIXED = /^([^0-9]{2,})[0-9]+$/;

/** The letters before the digits of a canonical value, if it has no others: `mrn` of `mrn123`. */
export const prefixOf = (canonical: string): string => PREFIXED.exec(canonical)?.[1] ?? '';

const DECIMAL = /^[+-]?[0-9]{1,20}(?:[.,][0-9]{1,12})?$/;
const DATE =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])(?:-[0-9]{2})?(?:$|[t ])|^[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}$|^[0-9]{1,2}:[0-9]{2}/i;

export const isDecimal = (text: string): boolean => DECIMAL.test(text);
export const isDateLike = (text: string): boolean => DATE.test(text);

const MIN_CHARS = 4;
const MIN_INTEGER_DIGITS = 5;

/** Whether a scalar without white space may be an identifier. Real dates and plain amounts are not. */
export function isIdentifier(key: Key, text: string): boolean {
  if (text.length < 3 || isDateLike(text) || text === 'true' || text === 'false') return false;
  if (key.namesAnId) return true;
  if (!/[0-9]/.test(text)) return false;
  if (isDecimal(text)) {
    return !key.namesAnAmount && /^[0-9]+$/.test(text) && text.length >= MIN_INTEGER_DIGITS;
  }
  return text.length >= MIN_CHARS;
}

const SHORT_NUMBER = /^(?!19|20)[0-9]{4}$/;

/** Four digits that are written as a text, such as the end of a card number, unless they may be a year. */
export const isShortIdentifier = (key: Key, text: string): boolean =>
  SHORT_NUMBER.test(text) && !key.namesAnAmount;

/** At most four capital letters, then groups that each hold a digit. */
const GROUPED =
  /^(?:([A-Z]{1,4})[.:#]?\s+)?[A-Z]{0,4}[-/_#]?[0-9][0-9A-Z/_-]*(?:\s+[A-Z]{0,4}[-/_#]?[0-9][0-9A-Z/_-]*)*$/;
const MONTH = /^(?:JAN|FEB|MAR|M\u00c4R|APR|MA[IY]|JUN|JUL|AUG|SEP|O[CK]T|NOV|DE[CZ])/;
/** A telephone number, such as 0171 2345678 or 212 555 0123, or figures in thousands. */
const OTHER_GROUPS = /^(?:0[0-9 -]*|[0-9]{3} [0-9]{3}[ -][0-9]{4}|[0-9]{1,3}(?: [0-9]{3})+)$/;
const YEAR_GROUP = /(?:^|\s)(?:19|20)[0-9]{2}(?=\s|$)/g;
const MIN_GROUPED_DIGITS = 5;
const MIN_SINGLE_DIGITS = 6;

/**
 * Whether a short text is an identifier in groups, such as `SO 7003 114`, whatever its key: its digits are
 * more than those of a year and a week, a post code or a time, and it is no telephone number.
 */
export function isGroupedIdentifier(text: string): boolean {
  const [isGrouped, prefix = ''] = GROUPED.exec(text) ?? [];
  if (isGrouped === undefined || MONTH.test(prefix) || OTHER_GROUPS.test(text)) return false;
  const groups = text.split(/\s+/).filter((group) => /[0-9]/.test(group));
  const digits = text.replace(YEAR_GROUP, '').replace(/[^0-9]/g, '');
  if (!groups.some((group) => /[0-9]{3}/.test(group))) return false;
  return digits.length >= (groups.length > 1 ? MIN_GROUPED_DIGITS : MIN_SINGLE_DIGITS);
}
