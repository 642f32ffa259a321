import { currencyProblem, isCurrency } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';

// Not the exponents of ISO 4217: Stripe counts MGA in whole units, and ISK and UGX in hundredths,
// which are always 00 (https://docs.stripe.com/currencies#zero-decimal and #special-cases).
const NO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ');

/** A genuine event with an invalid amount or currency. The message may be shown and logged. */
export class StripePayloadError extends Error {
  override readonly name = 'StripePayloadError';

  /** @param field path in the event, such as `data.object.amount` */
  constructor(
    readonly eventId: string,
    readonly field: string,
    readonly problem: string,
  ) {
    super(`Stripe event ${eventId}: ${field} ${problem}`);
  }
}

/**
 * An amount of the Stripe API as an exact decimal with the decimals of Stripe's unit:
 * 1099 USD is `10.99`, 500 JPY is `500`, 1234 KWD is `1.234`.
 * @param amount a safe integer in Stripe's smallest unit; zero has no sign
 * @param currency three capitals
 * @throws RangeError for an unknown currency, or an amount that is no safe integer
 */
export function fromStripeUnits(amount: number, currency: string): string {
  if (!isCurrency(currency)) {
    throw new RangeError(`${JSON.stringify(currency)} is not an ISO 4217 currency code`);
  }
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a safe integer`);
  const decimals = decimalsOf(currency);
  return new Big(`${amount}e-${decimals}`).toFixed(decimals);
}

/**
 * @param text a currency as Stripe writes it, in small letters
 * @param created seconds
 * @returns three capitals
 * @throws StripePayloadError
 */
export function readCurrency(eventId: string, text: string, created: number): string {
  const code = /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : '';
  const problem = currencyProblem(code, created * 1000);
  if (problem === null) return code;
  const what = isCurrency(code) ? '' : `${JSON.stringify(text)} `;
  throw new StripePayloadError(eventId, 'data.object.currency', `${what}${problem}`);
}

/**
 * @param name name of the member
 * @returns the amount: a safe integer, not negative
 * @throws StripePayloadError
 */
export function readStripeAmount(eventId: string, name: string, amount: number): number {
  if (Number.isSafeInteger(amount) && amount >= 0) return amount;
  const problem = `${amount} is not an amount: it must be an integer from 0 to 2^53-1`;
  throw new StripePayloadError(eventId, `data.object.${name}`, problem);
}

function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0;
  return THREE_DECIMALS.includes(currency) ? 3 : 2;
}
