import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';

/** What an amount is counted in. `unknown`: an integer may be in either. */
export type AmountUnit = 'minor' | 'major' | 'unknown';

const MINOR = new Set([
  'cents',
  'cent',
  'minor',
  'pence',
  'pennies',
  'centimes',
  'centavos',
  'paise',
  'centimos',
  'céntimos',
  'centesimi',
  'grosze',
  'groszy',
]);
const MAJOR = new Set(['decimal', 'major', 'dollars', 'euros', 'pounds']);

/** @param key as written: `amount_cents`, `priceInMinorUnits` */
export function unitOfKey(key: string): AmountUnit {
  const words = key
    .slice(0, 200)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  if (words.some((word) => MINOR.has(word))) return 'minor';
  return words.some((word) => MAJOR.has(word)) ? 'major' : 'unknown';
}

const HALF_EVEN = 2;

/**
 * An amount in whole minor units, rounded half to even: `19.9` in EUR is `1990`.
 * @param decimal decimal text
 * @param currency ISO 4217
 * @throws RangeError for a code that is not a currency
 */
export function toMinorUnits(decimal: string, currency: string): string {
  const scaled = new Big(decimal).times(new Big(10).pow(minorUnits(currency)));
  return withoutNegativeZero(scaled.round(0, HALF_EVEN).toFixed());
}

/**
 * @param minor whole minor units
 * @param currency ISO 4217
 * @returns decimal text in major units: `1990` in EUR is `19.9`
 * @throws RangeError for a code that is not a currency
 */
export function fromMinorUnits(minor: string, currency: string): string {
  return withoutNegativeZero(new Big(`${minor}e-${minorUnits(currency)}`).toFixed());
}

/** Amounts whose millionths are a whole number that a float holds exactly. */
const PLAIN = /^\d{1,9}(?:\.\d{1,6})?$/;
const PLAIN_DECIMALS = 6;

/**
 * Rounds an amount to the minor unit, half to even: `19.955` in EUR is `19.96`. Plain amounts are rounded as whole
 * numbers, at a fraction of the cost of decimal arithmetic.
 * @param decimal decimal text
 * @param currency ISO 4217
 * @throws RangeError for a code that is not a currency
 */
export function roundToMinorUnit(decimal: string, currency: string): string {
  const decimals = minorUnits(currency);
  if (!PLAIN.test(decimal)) return new Big(decimal).toFixed(decimals, HALF_EVEN);
  // The product is closer to the whole number than the next one is.
  const millionths = Math.round(Number(decimal) * 10 ** PLAIN_DECIMALS);
  const unit = 10 ** (PLAIN_DECIMALS - decimals);
  const rest = millionths % unit;
  const below = (millionths - rest) / unit;
  const isUp = 2 * rest > unit || (2 * rest === unit && below % 2 === 1);
  const digits = String(isUp ? below + 1 : below).padStart(decimals + 1, '0');
  if (decimals === 0) return digits;
  const point = digits.length - decimals;
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function withoutNegativeZero(text: string): string {
  return text === '-0' ? '0' : text;
}
