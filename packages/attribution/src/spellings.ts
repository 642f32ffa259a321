import { canonicalOf } from './identifiers.js';

/*
 * Shorter spellings of an identifier, under which the other side may name the same thing.
 */

const MIN_SEGMENT = 5;

/** What a path ends with, or what a part belongs to; null if the value is neither. */
export const partOf = (text: string): string | null => lastSegment(text) ?? wholeOf(text);

/** What a path or resource name ends with: `auth-1` of `arn:eks:group/auth-1`; null if it is no path. */
function lastSegment(text: string): string | null {
  if (/\s/.test(text) || !/[/:]/.test(text)) return null;
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1);
  return last.length >= MIN_SEGMENT && last.length < text.length ? last : null;
}

/** A number of at least four digits that is no year, then a part of at most three. */
const PART = /^(.*[0-9]{4,})(?:[-/_#:][A-Za-z]{0,2}[0-9]{1,3}|[-/_#:][A-Za-z]{1,2})$/;
const ENDS_IN_YEAR = /(?:^|[^0-9])(?:19|20)[0-9]{2}$/;

/** What a part belongs to: `ORD-48213` of `ORD-48213/2`; null if the value is no part. */
function wholeOf(text: string): string | null {
  const [, whole] = PART.exec(text) ?? [];
  return whole === undefined || whole.length < MIN_SEGMENT || ENDS_IN_YEAR.test(whole)
    ? null
    : whole;
}

/** Two numbers and no third beside them, so that no date, time, version or telephone number is among them. */
const PAIR =
  /(?<![0-9\p{L}])(?<![0-9][-/_.,:])([0-9]{2,10})[-/_]([0-9]{2,10})(?![0-9\p{L}])(?![-/_.,:][0-9])/gu;
/** What each pair contains; most texts do not. */
const JOINED = /[0-9][-/_][0-9]/;
const YEAR = /^(?:19|20)?[0-9]{2}$/;
const MIN_NUMBER = 3;
const MAX_PAIRS = 8;

interface Spelled {
  readonly raw: string;
  readonly canonical: string;
}

/**
 * The numbers of a text that a year precedes or follows, in one spelling: `26y917` for `INV-26-00917`,
 * `26/00917` and `917/2026`. The number has at least three figures; alone it is none.
 */
export function numbersWithYear(text: string): Spelled[] {
  if (!JOINED.test(text)) return [];
  const numbers: Spelled[] = [];
  for (const [raw, first = '', second = ''] of text.matchAll(PAIR)) {
    if (numbers.length >= MAX_PAIRS) break;
    const isFirst = isYearOf(first, second);
    if (!isFirst && !isYearOf(second, first)) continue;
    const [year, number] = isFirst ? [first, second] : [second, first];
    numbers.push({ raw, canonical: canonicalOf(`${year.slice(-2)}y${number}`) });
  }
  return numbers;
}

/** `11/2026` is a month, and `2025-2026` two years; `26/1941` can only be the number 1941. */
function isYearOf(year: string, number: string): boolean {
  if (!YEAR.test(year) || number.length < MIN_NUMBER) return false;
  return !YEAR.test(number) || (year.length === 2 && Number(year) > MONTHS);
}

const MONTHS = 12;

const CHECKED = /^([^0-9]*)([0-9]{5,20})[0-9]$/;
/** With letters before them, figures say more. */
const MIN_FIGURES = { alone: 6, withLetters: 5 };

/** A canonical value without its last figure, which may be a check digit; null if too little remains. */
export function withoutCheckDigit(canonical: string): string | null {
  const [, letters = '', figures = ''] = CHECKED.exec(canonical) ?? [];
  const least = letters.length >= 2 ? MIN_FIGURES.withLetters : MIN_FIGURES.alone;
  return figures.length >= least ? `${letters}${figures}` : null;
}
