import {
  fromMinorUnits,
  roundToMinorUnit,
  toMinorUnits,
  unitOfKey,
} from '@decision-ledger/amounts/minor-units';
import { readAmount } from '@decision-ledger/amounts/read-amount';
import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const amount = (decimal: string, currency: string | null = null) => ({ decimal, currency });

describe('Reading an amount', () => {
  it.each([
    [19.9, amount('19.9')],
    [1990, amount('1990')],
    [-4.5, amount('-4.5')],
    [0.04999999999999716, amount('0.04999999999999716')],
    ['19.90', amount('19.9')],
    ['-19.90', amount('-19.9')],
    ['1.990', amount('1.99')],
    ['19.90 EUR', amount('19.9', 'EUR')],
    ['19.90 HRK', amount('19.9', 'HRK')],
    ['EUR 19.90', amount('19.9', 'EUR')],
    ['usd19.90', amount('19.9', 'USD')],
    ['€19.90', amount('19.9', 'EUR')],
    ['19,90 €', amount('19.9', 'EUR')],
    ['$1,990.00', amount('1990')],
    ['1,990.00', amount('1990')],
    ['1.990,00', amount('1990')],
    ['1.990.000', amount('1990000')],
    ['1,990,000.5', amount('1990000.5')],
    ["1'990.00 CHF", amount('1990', 'CHF')],
    ['1 990,00 EUR', amount('1990', 'EUR')],
    ['1\u202f990 EUR', amount('1990', 'EUR')],
    ['(19.90)', amount('-19.9')],
    ['19.90-', amount('-19.9')],
    ['−19.90 GBP', amount('-19.9', 'GBP')],
    ['£0.00', amount('0', 'GBP')],
    ['1990.125 KWD', amount('1990.125', 'KWD')],
    ['1.990 KWD', amount('1.99', 'KWD')],
    ['1,990 JPY', amount('1990', 'JPY')],
    ['1.990 JPY', amount('1990', 'JPY')],
  ])('%j is read', (value, expected) => {
    expect(readAmount(value)).toMatchObject(expected);
  });

  it.each([
    '1,990',
    '1.990 EUR',
    '1,990 KWD',
    '19,90.125 JPY',
    '1,99,00',
    '1.99.00',
    'ORD-1990',
    '19.90 EUR each',
    '19.90 XXY',
    'EUR 19.90 EUR',
    '2026-11-22',
    '12:30',
    '-',
    '',
    '19.',
    '.5',
    '--5',
    '-5-',
    '1e5',
    '5 %',
    '1 99',
    '9'.repeat(60),
  ])('%j has no single reading', (value) => {
    expect(readAmount(value)).toBeNull();
  });

  it.each([[true], [null], [[5]], [{ amount: 5 }]])('%j is not an amount', (value) => {
    expect(readAmount(value)).toBeNull();
  });

  it('A currency beside a text says whether three digits are a fraction', () => {
    expect(readAmount('1,990', 'JPY')).toMatchObject({ decimal: '1990', isInteger: true });
    expect(readAmount('1,990', 'EUR')).toBeNull();
    expect(readAmount('1,990', 'XXY')).toBeNull();
  });

  it('An integer may be in minor units, and a fraction may not', () => {
    expect(readAmount(1990)?.isInteger).toBe(true);
    expect(readAmount('1990')?.isInteger).toBe(true);
    expect(readAmount('19.90')?.isInteger).toBe(false);
    expect(readAmount('1,990.00 EUR')?.isInteger).toBe(false);
  });

  it('No value makes it fail', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
        (value) => {
          readAmount(value);
        },
      ),
    );
  });
});

describe('Minor units', () => {
  it.each([
    ['19.9', 'EUR', '1990'],
    ['-19.9', 'EUR', '-1990'],
    ['0.04999999999999716', 'EUR', '5'],
    ['0.005', 'EUR', '0'],
    ['0.015', 'EUR', '2'],
    ['-0.001', 'EUR', '0'],
    ['1990', 'JPY', '1990'],
    ['1.9905', 'KWD', '1990'],
  ])('%s %s is %s', (decimal, currency, minor) => {
    expect(toMinorUnits(decimal, currency)).toBe(minor);
  });

  it('Whole minor units survive a round trip', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.constantFrom('EUR', 'JPY', 'KWD'), (minor, currency) => {
        expect(toMinorUnits(fromMinorUnits(String(minor), currency), currency)).toBe(String(minor));
      }),
    );
  });

  it.each([
    ['19.955', 'EUR', '19.96'],
    ['19.965', 'EUR', '19.96'],
    ['0.004999', 'EUR', '0.00'],
    ['0.5', 'JPY', '0'],
    ['1.5', 'JPY', '2'],
    ['0', 'KWD', '0.000'],
    ['-0.015', 'EUR', '-0.02'],
    ['999999999.995', 'EUR', '1000000000.00'],
  ])('%s %s is printed as %s', (decimal, currency, printed) => {
    expect(roundToMinorUnit(decimal, currency)).toBe(printed);
  });

  it('Amounts are rounded as in decimal arithmetic', () => {
    const decimal = fc.oneof(
      fc
        .tuple(fc.nat({ max: 10_000_000_000 }), fc.nat({ max: 7 }), fc.nat({ max: 99_999_999 }))
        .map(([whole, zeros, rest]) => `${whole}.${'0'.repeat(zeros)}${rest}`),
      fc
        .tuple(fc.nat(), fc.constantFrom('5', '50', '005', '0005', '500000', '4999995'))
        .map(String),
      fc.double({ noNaN: true, min: -1e21, max: 1e21 }).map((value) => value.toFixed(6)),
    );
    fc.assert(
      fc.property(decimal, fc.constantFrom('EUR', 'JPY', 'KWD'), (text, currency) => {
        const amount = text.replace(',', '.');
        const exact = new Big(amount).toFixed(minorUnits(currency), Big.roundHalfEven);
        expect(roundToMinorUnit(amount, currency)).toBe(exact);
      }),
    );
  });

  it.each([
    ['amount_cents', 'minor'],
    ['amountInCents', 'minor'],
    ['priceMinorUnits', 'minor'],
    ['amount_decimal', 'major'],
    ['amount', 'unknown'],
    ['percentage', 'unknown'],
    ['centre', 'unknown'],
  ])('The key %s says %s', (key, unit) => {
    expect(unitOfKey(key)).toBe(unit);
  });
});
