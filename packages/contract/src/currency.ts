const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';

const TWO_DECIMALS = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
  CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
  HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
  MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
  SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
  USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`;

const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';

const withExponent = (codes: string, exponent: number) =>
  codes
    .trim()
    .split(/\s+/)
    .map((code): [string, number] => [code, exponent]);

/**
 * Active currencies of ISO 4217 and the exponent of their minor unit (the number of decimals).
 * Excluded: metals, funds, units of account, test codes and withdrawn currencies.
 */
export const CURRENCIES: ReadonlyMap<string, number> = new Map([
  ...withExponent(NO_DECIMALS, 0),
  ...withExponent(TWO_DECIMALS, 2),
  ...withExponent(THREE_DECIMALS, 3),
]);

/**
 * @param code three upper-case letters, such as `EUR`
 *
 * @example
 * ```ts
 * import { isCurrency } from '@decision-ledger/contract/currency';
 *
 * isCurrency('EUR'); // => true
 * isCurrency('eur'); // => false
 * ```
 */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/**
 * @returns the number of decimals in ISO 4217: 2 for EUR, 0 for JPY
 * @throws RangeError if the code is not an active currency
 * @example
 * ```ts
 * import { minorUnits } from '@decision-ledger/contract/currency';
 *
 * minorUnits('EUR'); // => 2
 * minorUnits('JPY'); // => 0
 * ```
 */
export function minorUnits(code: string): number {
  const exponent = CURRENCIES.get(code);
  if (exponent === undefined) {
    throw new RangeError(`${JSON.stringify(code)} is not an active ISO 4217 currency code`);
  }
  return exponent;
}
