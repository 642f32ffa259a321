import { Big } from 'big.js';

/** A JSON number with limited digits and exponent. */
const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;
const AMOUNT = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,12})?$/;

/**
 * Converts a number to an exact decimal without exponent, trailing zeros or a sign of zero.
 * @param sign turns the number into money received by the organisation
 * @returns null for a text that is not a number, or has more than 20 digits before or 12 after the point
 */
export function toAmount(text: string, sign: 1 | -1): string | null {
  if (!NUMBER.test(text)) return null;
  const value = new Big(text);
  const amount = value.eq(0) ? '0' : value.times(sign).toFixed();
  return AMOUNT.test(amount) ? amount : null;
}
