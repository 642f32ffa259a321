import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Owed, paidTaxOf } from '#server/domains/sources/accounting/rules/paid-tax';

const bill = (total: string, untaxed: string, currency = 'EUR'): Owed => ({
  ...{ basis: 'accrual', currency, whole: { total, untaxed, due: total } },
});
const payment = (total: string, currency = 'EUR'): Owed => ({
  ...{ basis: 'settlement', currency, whole: { total, settled: total } },
});
const atOnce: Owed = { basis: 'mixed', currency: 'EUR', whole: { total: '119', untaxed: '100' } };
const unknown: Owed = { basis: undefined, currency: 'EUR', whole: {} };

/** What is without tax of each payment, and its tax. */
const taxes = (...owed: Owed[]) => [...paidTaxOf(owed).values()].map(Object.values);

describe('The tax in payments of bills', () => {
  it.for<[string, Owed[], string[][]]>([
    ['one payment', [bill('119', '100'), payment('119')], [['100', '19']]],
    ['paid before it was billed', [payment('119'), bill('119', '100')], [['100', '19']]],
    [
      'two payments and a rest',
      [bill('119', '100'), payment('59.5'), payment('40')],
      [
        ['50', '9.5'],
        ['33.61', '6.39'],
      ],
    ],
    ['a supplier', [bill('-121', '-100'), payment('-121')], [['-100', '-21']]],
    [
      'two bills of one rate',
      [bill('119', '100'), bill('238', '200'), payment('357')],
      [['300', '57']],
    ],
    [
      'after a credit',
      [bill('119', '100'), bill('-23.8', '-20'), payment('95.2')],
      [['80', '15.2']],
    ],
    ['no tax', [bill('80', '80'), payment('80')], [['80', '0']]],
    [
      'given back and paid again',
      [bill('119', '100'), payment('119'), payment('-119'), payment('119')],
      [
        ['100', '19'],
        ['-100', '-19'],
        ['100', '19'],
      ],
    ],
    [
      'yen',
      [bill('1100', '1000', 'JPY'), payment('333', 'JPY'), payment('767', 'JPY')],
      [
        ['303', '30'],
        ['697', '70'],
      ],
    ],
  ])('A payment has its part of the tax: %s', ([, owed, expected]) => {
    expect(taxes(...owed)).toEqual(expected);
  });

  it.for<[string, Owed[]]>([
    ['nothing was billed', [payment('119')]],
    ['more was paid', [bill('119', '100'), payment('119'), payment('0.01')]],
    ['the other way', [bill('119', '100'), payment('-119')]],
    ['two rates', [bill('119', '100'), bill('107', '100'), payment('119')]],
    ['paid at once in part', [bill('119', '100'), atOnce, payment('119')]],
    ['something that cannot be read', [bill('119', '100'), unknown, payment('119')]],
    ['a bill of tax alone', [bill('19', '0'), payment('19')]],
    ['less than what is without tax', [bill('100', '119'), payment('100')]],
    ['credited', [bill('119', '100'), bill('-119', '-100'), payment('119')]],
  ])('Nothing follows: %s', ([, owed]) => {
    expect(taxes(...owed)).toEqual([]);
  });

  it('All parts of a bill add up to it', () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 6 }), cents, (parts, untaxed) => {
        const text = (value: number) => new Big(value).div(100).toFixed();
        const total = parts.reduce((sum, one) => sum + one, 0);
        fc.pre(untaxed <= total);
        const owed = [bill(text(total), text(untaxed)), ...parts.map((one) => payment(text(one)))];
        const found = [...paidTaxOf(owed).values()];
        const sum = found.reduce((all, one) => all.plus(one.untaxed), new Big(0));
        expect(found).toHaveLength(parts.length);
        expect(sum.toFixed()).toBe(text(untaxed));
      }),
    );
  });
});
