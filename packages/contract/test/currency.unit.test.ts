import {
  CURRENCIES,
  CURRENCY_CODES,
  currencyProblem,
  isCurrency,
  minorUnits,
} from '@decision-ledger/contract/currency';
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

  it.for(['usd', 'US', 'USDT', '', ' USD', 'XAU', 'XDR', 'XTS', 'XEU', 'CHE', 'toString'])(
    'The text %j is not a currency, at any time',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => minorUnits(code)).toThrow(RangeError);
      expect(currencyProblem(code, 0)).toBe('is not an ISO 4217 code');
    },
  );

  it('A currency in use has no time in which it is refused', () => {
    for (const code of CURRENCIES.keys()) {
      for (const at of [-62_135_596_800_000, 0, 253_402_300_799_999]) {
        expect(currencyProblem(code, at)).toBeNull();
      }
    }
  });
});

describe('Withdrawn currencies', () => {
  const withdrawn = CURRENCY_CODES.filter((code) => !CURRENCIES.has(code));

  it('There are 54, each listed once, and none is in use', () => {
    expect(withdrawn).toHaveLength(54);
    expect(new Set(CURRENCY_CODES).size).toBe(CURRENCIES.size + 54);
  });

  // What a customer could still pay with on the last day, as the central banks announced it.
  it.for([
    ['HRK', '2023-01-14', 'EUR', 2],
    ['BGN', '2026-01-31', 'EUR', 2],
    ['LTL', '2015-01-15', 'EUR', 2],
    ['LVL', '2014-01-14', 'EUR', 2],
    ['EEK', '2011-01-14', 'EUR', 2],
    ['SKK', '2009-01-16', 'EUR', 2],
    ['SIT', '2007-01-14', 'EUR', 2],
    ['MTL', '2008-01-31', 'EUR', 2],
    ['CYP', '2008-01-31', 'EUR', 2],
    ['FRF', '2002-02-17', 'EUR', 2],
    ['IEP', '2002-02-09', 'EUR', 2],
    ['NLG', '2002-01-28', 'EUR', 2],
    ['DEM', '2002-02-28', 'EUR', 2],
    ['ITL', '2002-02-28', 'EUR', 0],
    ['TRL', '2005-12-31', 'TRY', 0],
    ['BYR', '2016-12-31', 'BYN', 0],
    ['ANG', '2025-06-30', 'XCG', 2],
    ['ZWL', '2024-08-31', 'ZWG', 2],
  ] as const)('%s counts until the end of %s, then %s', ([code, lastDay, successor, digits]) => {
    const end = Date.parse(`${lastDay}T23:59:59.999Z`);
    expect(isCurrency(code)).toBe(true);
    expect(minorUnits(code)).toBe(digits);
    expect(currencyProblem(code, end)).toBeNull();
    expect(currencyProblem(code, end + 1)).toBe(
      `${code} was in use until ${lastDay}: use ${successor} after that day`,
    );
  });

  it('Each ended on a day since 2000 that exists, and its successors end at a currency in use', () => {
    for (const code of withdrawn) {
      let next = code;
      let before = '2000-01-01';
      while (!CURRENCIES.has(next)) {
        const [, lastDay = '', successor = ''] =
          /until (\S+): use (\w+)/.exec(currencyProblem(next, Number.MAX_SAFE_INTEGER) ?? '') ?? [];
        expect(new Date(lastDay).toISOString().slice(0, 10)).toBe(lastDay);
        expect(lastDay > before).toBe(true);
        [next, before] = [successor, lastDay];
      }
      expect([0, 2]).toContain(minorUnits(code));
    }
  });
});
