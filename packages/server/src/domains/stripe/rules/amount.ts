import { isCurrency } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';

// Not the exponents of ISO 4217: Stripe counts MGA in whole units, and ISK and UGX in hundredths,
// which are always 00 (https://docs.stripe.com/currencies#zero-decimal and #special-cases).
const NO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ');

/**
 * An amount of the Stripe API as an exact decimal text with as many decimals as Stripe's unit has:
 * 1099 USD is `10.99`, 500 JPY is `500`, 1234 KWD is `1.234`.
 * @param amount a safe integer in Stripe's smallest unit; zero has no sign
 * @param currency three capitals
 * @throws RangeError for an unknown currency, or an amount that is no safe integer
 */
export function fromMinorUnits(amount: number, currency: string): string {
  if (!isCurrency(currency)) {
    throw new RangeError(`${JSON.stringify(currency)} is no active currency code of ISO 4217`);
  }
  if (!Number.isSafeInteger(amount)) {
    throw new RangeError(`${amount} is no safe integer`);
  }
  const decimals = decimalsOf(currency);
  const unit = new Big(10).pow(decimals);
  return new Big(amount === 0 ? 0 : amount).div(unit).toFixed(decimals);
}

function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0;
  return THREE_DECIMALS.includes(currency) ? 3 : 2;
}
