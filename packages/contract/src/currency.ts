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
 * Excluded: metals, funds, units of account and test codes.
 */
export const CURRENCIES: ReadonlyMap<string, number> = new Map([
  ...withExponent(NO_DECIMALS, 0),
  ...withExponent(TWO_DECIMALS, 2),
  ...withExponent(THREE_DECIMALS, 3),
]);

// Of list three, since 2000: decimals, last day (of tender or, if that was later, of the code) and successor.
const WITHDRAWN_LIST = `
  ADP 0 2002-02-28 EUR, AFA 2 2003-01-02 AFN, ANG 2 2025-06-30 XCG, AOR 2 2000-02-01 AOA,
  ATS 2 2002-02-28 EUR, AZM 2 2006-12-31 AZN, BEF 0 2002-02-28 EUR, BGL 2 2003-10-31 BGN,
  BGN 2 2026-01-31 EUR, BYB 0 2000-12-31 BYR, BYR 0 2016-12-31 BYN, CSD 2 2006-10-25 RSD,
  CUC 2 2021-06-30 CUP, CYP 2 2008-01-31 EUR, DEM 2 2002-02-28 EUR, ECS 2 2000-09-15 USD,
  EEK 2 2011-01-14 EUR, ESP 0 2002-02-28 EUR, FIM 2 2002-02-28 EUR, FRF 2 2002-02-17 EUR,
  GHC 2 2007-12-31 GHS, GRD 0 2002-02-28 EUR, HRK 2 2023-01-14 EUR, IEP 2 2002-02-09 EUR,
  ITL 0 2002-02-28 EUR, LTL 2 2015-01-15 EUR, LUF 0 2002-02-28 EUR, LVL 2 2014-01-14 EUR,
  MGF 0 2004-12-31 MGA, MRO 2 2018-06-30 MRU, MTL 2 2008-01-31 EUR, MZM 2 2006-12-31 MZN,
  NLG 2 2002-01-28 EUR, PTE 0 2002-02-28 EUR, ROL 2 2006-12-31 RON, RUR 2 2003-12-31 RUB,
  SDD 2 2007-06-30 SDG, SIT 2 2007-01-14 EUR, SKK 2 2009-01-16 EUR, SLL 2 2024-03-31 SLE,
  SRG 2 2003-12-31 SRD, STD 2 2018-06-30 STN, TJR 2 2001-03-31 TJS, TMM 2 2009-12-31 TMT,
  TPE 0 2002-10-31 USD, TRL 0 2005-12-31 TRY, VEB 2 2008-06-30 VEF, VEF 2 2018-12-05 VES,
  YUM 2 2003-06-30 CSD, ZMK 2 2013-06-30 ZMW, ZWD 2 2008-07-31 ZWR, ZWL 2 2024-08-31 ZWG,
  ZWN 2 2008-07-31 ZWR, ZWR 2 2009-05-31 ZWL`;

const WITHDRAWN: ReadonlyMap<string, { exponent: number; lastDay: string; successor: string }> =
  new Map(
    WITHDRAWN_LIST.split(',').map((row) => {
      const [code = '', exponent, lastDay = '', successor = ''] = row.trim().split(' ');
      return [code, { exponent: Number(exponent), lastDay, successor }];
    }),
  );

/** The codes of amounts of any time: of currencies in use and of withdrawn ones. */
export const CURRENCY_CODES: readonly string[] = [...CURRENCIES.keys(), ...WITHDRAWN.keys()];

/**
 * @returns why an amount of that time cannot be in that currency; null if it can
 * @param at ms
 * @example
 * ```ts
 * import { currencyProblem } from '@decision-ledger/contract/currency';
 *
 * currencyProblem('HRK', Date.UTC(2023, 0, 14)); // => null
 * currencyProblem('HRK', Date.UTC(2023, 0, 15)); // => 'HRK was in use until 2023-01-14: use EUR after that day'
 * ```
 */
export function currencyProblem(code: string, at: number): string | null {
  const withdrawn = WITHDRAWN.get(code);
  if (withdrawn === undefined) return CURRENCIES.has(code) ? null : 'is not an ISO 4217 code';
  if (at < Date.parse(withdrawn.lastDay) + 86_400_000) return null;
  return `${code} was in use until ${withdrawn.lastDay}: use ${withdrawn.successor} after that day`;
}

/**
 * Whether this is a currency, in use or withdrawn.
 * @param code three upper-case letters, such as `EUR`
 * @example
 * ```ts
 * import { isCurrency } from '@decision-ledger/contract/currency';
 *
 * isCurrency('EUR'); // => true
 * isCurrency('eur'); // => false
 * ```
 */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code) || WITHDRAWN.has(code);
}

/**
 * @returns the number of decimals in ISO 4217, also of a withdrawn currency: 2 for EUR, 0 for JPY
 * @throws RangeError if the code is not a currency
 * @example
 * ```ts
 * import { minorUnits } from '@decision-ledger/contract/currency';
 *
 * minorUnits('EUR'); // => 2
 * minorUnits('JPY'); // => 0
 * ```
 */
export function minorUnits(code: string): number {
  const exponent = CURRENCIES.get(code) ?? WITHDRAWN.get(code)?.exponent;
  if (exponent === undefined) {
    throw new RangeError(`${JSON.stringify(code)} is not an ISO 4217 currency code`);
  }
  return exponent;
}
