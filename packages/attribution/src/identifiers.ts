import { type Key, normalise } from './keys.js';

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
  /^[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:$|[t ])|^[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}$|^[0-9]{1,2}:[0-9]{2}/i;

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
