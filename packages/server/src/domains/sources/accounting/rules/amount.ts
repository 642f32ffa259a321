import { Big } from 'big.js';

/** As JSON writes numbers, with an exponent too small to make the digits explode. */
const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;
const AMOUNT = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,12})?$/;

/**
 * A number's text as an exact decimal amount without exponent, sign of zero or zeros at its end.
 * @param sign of money to the organisation
 * @returns null when it is no number, or has more than 20 digits before or 12 behind the point
 */
export function toAmount(text: string, sign: 1 | -1): string | null {
  if (!NUMBER.test(text)) return null;
  const value = new Big(text);
  const amount = value.eq(0) ? '0' : value.times(sign).toFixed();
  return AMOUNT.test(amount) ? amount : null;
}
