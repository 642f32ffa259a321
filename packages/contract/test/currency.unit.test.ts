import { CURRENCIES, isCurrency, minorUnits } from '@decision-ledger/contract/currency';
import { describe, expect, it } from 'vitest';

/** The Intl of a supported Node.js may be older than these codes or omit them. */
const NOT_IN_EVERY_INTL = new Set(['VED', 'XCG', 'ZWG']);

describe('Currencies', () => {
  it('Currency codes have three capitals and 0, 2 or 3 decimals', () => {
    for (const [code, exponent] of CURRENCIES) {
      expect(code).toMatch(/^[A-Z]{3}$/);
      expect([0, 2, 3]).toContain(exponent);
    }
  });

  it('There are 155 currencies, each listed once', () => {
    expect(CURRENCIES.size).toBe(155);
  });

  it('Every currency is known to Intl', () => {
    const known = new Set(Intl.supportedValuesOf('currency'));
    const unknown = [...CURRENCIES.keys()].filter((code) => !known.has(code));
    expect(unknown.filter((code) => !NOT_IN_EVERY_INTL.has(code))).toEqual([]);
  });

  it.for([
    ['USD', 2],
    ['EUR', 2],
    ['GBP', 2],
    ['MGA', 2],
    ['MRU', 2],
    ['HUF', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['UGX', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['TND', 3],
  ] as const)('The currency %s has %i decimals', ([code, exponent]) => {
    expect(isCurrency(code)).toBe(true);
    expect(minorUnits(code)).toBe(exponent);
  });

  it.for(['usd', 'US', 'USDT', '', ' USD', 'XAU', 'XDR', 'XTS', 'HRK', 'DEM', 'toString'])(
    'The text %j is not a currency',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => minorUnits(code)).toThrow(RangeError);
    },
  );
});
