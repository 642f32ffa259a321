import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  apportion,
  compare,
  parseDecimal,
  print,
  roundHalfEven,
  sumOf,
  times,
} from '#verifier/checks/agent-statement/decimal';

const HALF_EVEN = 2;

function decimalOf(text: string) {
  const decimal = parseDecimal(text);
  if (decimal === null) throw new Error(`${text} is no decimal`);
  return decimal;
}

/** Decimal text with up to 12 digits after the point. */
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => new Big(units.toString()).div(new Big(10).pow(scale)).toFixed(scale));

describe('Decimals of a statement', () => {
  it('Sums, products, order and rounding are exact', () => {
    fc.assert(
      fc.property(decimals, decimals, fc.integer({ min: 0, max: 6 }), (a, b, digits) => {
        const [one, other] = [decimalOf(a), decimalOf(b)];
        expect(new Big(print(add(one, other))).eq(new Big(a).plus(b))).toBe(true);
        expect(new Big(print(times(one, other))).eq(new Big(a).times(b))).toBe(true);
        expect(Math.sign(compare(one, other))).toBe(new Big(a).cmp(b));
        const rounded = print(roundHalfEven(one, digits));
        expect(new Big(rounded).eq(new Big(a).round(digits, HALF_EVEN))).toBe(true);
        expect(rounded.split('.')[1]?.length ?? 0).toBe(digits);
      }),
    );
  });

  it.each([
    ['12.505', 2, '12.50'],
    ['12.515', 2, '12.52'],
    ['-0.005', 2, '0.00'],
    ['-0.015', 2, '-0.02'],
    ['1e-7', 6, '0.000000'],
    ['2.5e+2', 0, '250'],
  ])('%s with %i digits is %s', (text, digits, rounded) => {
    expect(print(roundHalfEven(decimalOf(text), digits))).toBe(rounded);
  });

  it.each(['', '1.', '.5', '+1', '0x1', '1e9999', '1'.repeat(101), 'NaN', '1,5'])(
    '%j is no decimal',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );
});

describe('Parts of a statement', () => {
  it('They add up to the total, and the missing units go to those that lost most', () => {
    fc.assert(
      fc.property(
        fc.array(decimals, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 4 }),
        (texts, digits) => {
          const parts = texts.map(decimalOf);
          const total = roundHalfEven(sumOf(parts), digits);
          const printed = apportion(parts, total, digits) ?? [];
          expect(printed).toHaveLength(parts.length);
          expect(compare(sumOf(printed), total)).toBe(0);
          const unit = new Big(10).pow(-digits);
          const changes = printed.map((part, at) => new Big(print(part)).minus(texts[at] ?? 0));
          expect(changes.every((change) => change.abs().lt(unit))).toBe(true);
          const raised = changes.filter((change) => change.gt(0)).map((by) => unit.minus(by));
          const lowered = changes.filter((change) => change.lte(0)).map((by) => by.times(-1));
          const least = raised.sort((a, b) => a.cmp(b))[0];
          const most = lowered.sort((a, b) => b.cmp(a))[0];
          if (least !== undefined && most !== undefined) expect(least.gte(most)).toBe(true);
        },
      ),
    );
  });

  it('Of parts that lost the same, the earlier one is raised', () => {
    const half = decimalOf('0.005');
    const printed = apportion([half, half, half], decimalOf('0.02'), 2);
    expect(printed?.map(print)).toEqual(['0.01', '0.01', '0.00']);
  });

  it('Parts that do not add up to the total are refused', () => {
    expect(apportion([decimalOf('1.004')], decimalOf('1.02'), 2)).toBeNull();
    expect(apportion([decimalOf('1.00')], decimalOf('0.99'), 2)).toBeNull();
  });
});
