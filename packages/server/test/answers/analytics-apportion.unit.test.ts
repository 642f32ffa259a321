import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apportion } from '#server/domains/answers/analytics/rules/books';

const HALF_EVEN = 2;
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.constantFrom(0, 1, 2, 3, 6, 12))
  .map(([n, scale]) => new Big(`${n}e-${scale}`));
const digits = fc.constantFrom(0, 2, 3);
const sum = (all: readonly Big[]) => all.reduce((before, one) => before.plus(one), new Big(0));
const text = (all: readonly Big[]) => all.map((one) => one.toFixed());

describe('Largest remainders', () => {
  it('Rounded parts add up to the rounded total, and each is next to its exact value', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 12 }), digits, (parts, places) => {
        const total = sum(parts).round(places, HALF_EVEN);
        const rounded = apportion(parts, total, places);
        expect(sum(rounded).eq(total)).toBe(true);
        const unit = new Big(`1e-${places}`);
        for (const [index, part] of parts.entries()) {
          const one = rounded[index] ?? new Big(NaN);
          expect(one.round(places).eq(one)).toBe(true);
          expect(one.minus(part).abs().lt(unit), `${part.toFixed()} → ${one.toFixed()}`).toBe(true);
        }
      }),
      { seed: 14, numRuns: 500 },
    );
  });

  it('The parts that lose most are raised, of equal ones the earlier', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 2, maxLength: 8 }), digits, (parts, places) => {
        const rounded = apportion(parts, sum(parts).round(places, HALF_EVEN), places);
        const lost = parts.map((part, index) => part.minus(rounded[index] ?? 0));
        const raised = lost.flatMap((one, index) => (one.lt(0) ? [index] : []));
        const unit = new Big(`1e-${places}`);
        for (const up of raised) {
          const before = lost[up]?.plus(unit) ?? new Big(0);
          for (const [index, one] of lost.entries()) {
            if (one.lt(0) || raised.includes(index)) continue;
            expect(one.lt(before) || (one.eq(before) && up < index)).toBe(true);
          }
        }
      }),
      { seed: 15, numRuns: 300 },
    );
  });

  it('Parts of a part still add up, down to the last level', () => {
    const nested = fc.array(fc.array(decimal, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(nested, digits, (groups, places) => {
        const sums = groups.map(sum);
        const printed = apportion(sums, sum(sums).round(places, HALF_EVEN), places);
        for (const [index, group] of groups.entries()) {
          const total = printed[index] ?? new Big(NaN);
          expect(sum(apportion(group, total, places)).eq(total)).toBe(true);
        }
      }),
      { seed: 16, numRuns: 200 },
    );
  });

  it.each([
    [['0.005', '0.005', '0.005'], '0.02', ['0.01', '0.01', '0']],
    [['33.333', '33.333', '33.334'], '100', ['33.33', '33.33', '33.34']],
    [['-0.004', '0.004'], '0', ['0', '0']],
    [['-0.007', '0.004', '0.003'], '0', ['-0.01', '0.01', '0']],
    [['1.5', '-1.5'], '0', ['1.5', '-1.5']],
    [[], '0', []],
  ])('The parts %j of %s are rounded to %j', (parts, total, expected) => {
    const exact = parts.map((part) => new Big(part));
    expect(text(apportion(exact, new Big(total), 2))).toEqual(expected);
  });

  it.each([
    [['1.001'], '1.02'],
    [['1.00'], '1.01'],
    [['1.001'], '0.99'],
    [['1.001'], '1.005'],
  ])('The parts %j do not make %s and are refused', (parts, total) => {
    const exact = parts.map((part) => new Big(part));
    expect(() => apportion(exact, new Big(total), 2)).toThrow(RangeError);
  });
});
