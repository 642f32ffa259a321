import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnedHalfLife } from '#server/domains/judgement/attribution/rules/v1/half-life';
import {
  plausibility,
  usualAmounts,
} from '#server/domains/judgement/attribution/rules/v1/plausibility';
import { median } from '#server/domains/judgement/attribution/rules/v1/robust';

const amounts = fc.array(fc.double({ min: 0.01, max: 1e12, noNaN: true }), {
  minLength: 5,
  maxLength: 50,
});

describe('Median', () => {
  it.for<[number[], number]>([
    [[3], 3],
    [[3, 1], 2],
    [[9, 1, 4], 4],
    [[8, 2, 4, 6], 5],
    [[], Number.NaN],
  ])('The median of %j is %d', ([values, expected]) => {
    expect(median(values)).toBe(expected);
  });
});

describe('Plausibility of an amount', () => {
  it('Usual amounts are unknown from fewer than five', () => {
    expect(usualAmounts([10, 10, 10, 10])).toBeNull();
    expect(usualAmounts([10, 10, 10, 10, 10])).not.toBeNull();
  });

  it('Of 25, 50, 100, 200 and 400 the median is 100 and the spread one doubling, as computed by hand', () => {
    const usual = usualAmounts([400, 25, 100, 50, 200]);
    if (usual === null) throw new Error('five are enough');
    expect(usual.median).toBeCloseTo(Math.log(100), 12);
    expect(usual.deviation).toBeCloseTo(1.4826 * Math.LN2, 12);
    expect(plausibility(100, usual)).toBe(1);
    // One doubling away: z = 1 / 1.4826 = 0.6745, and exp(−z²/2) = 0.7965.
    expect(plausibility(200, usual)).toBeCloseTo(0.7965, 4);
    expect(plausibility(50, usual)).toBeCloseTo(0.7965, 4);
    // Ten doublings away: z = 6.745.
    expect(plausibility(102_400, usual)).toBeLessThan(1e-9);
  });

  it('Equal amounts have a spread of a tenth, as computed by hand', () => {
    const usual = usualAmounts([20, 20, 20, 20, 20]);
    if (usual === null) throw new Error('five are enough');
    expect(usual.deviation).toBe(0.1);
    expect(plausibility(20 * Math.exp(0.1), usual)).toBeCloseTo(Math.exp(-0.5), 9);
  });

  it('Plausibility is between 0 and 1, highest at the median, and robust against one outlier', () => {
    fc.assert(
      fc.property(amounts, fc.double({ min: 0.01, max: 1e12, noNaN: true }), (values, one) => {
        const usual = usualAmounts(values);
        if (usual === null) throw new Error('five are enough');
        const found = plausibility(one, usual);
        expect(found >= 0 && found <= 1).toBe(true);
        expect(plausibility(Math.exp(usual.median), usual)).toBeCloseTo(1, 9);
      }),
    );
    expect(usualAmounts([20, 20, 20, 20, 20, 1e12])?.median).toBe(Math.log(20));
  });
});

describe('Half-life', () => {
  it.for<[number[], number]>([
    [[], 72],
    // (10·72 + 1·6) / 11
    [[6], 66],
    // (10·72 + 10·12) / 20
    [Array.from({ length: 10 }, () => 12), 42],
    // The minimum lag is a quarter of an hour: (10·72 + 10·0.25) / 20
    [Array.from({ length: 10 }, () => 0), 36.125],
  ])('A half-life of 72 h with lags %j becomes %d h', ([lags, expected]) => {
    expect(learnedHalfLife(72, lags)).toBeCloseTo(expected, 9);
  });

  it('The half-life lies between the configured one and the median of the lags', () => {
    const lags = fc.array(fc.double({ min: 0.25, max: 5000, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(fc.double({ min: 1, max: 2000, noNaN: true }), lags, (set, values) => {
        const [low, high] = [Math.min(set, median(values)), Math.max(set, median(values))];
        const found = learnedHalfLife(set, values);
        expect(found).toBeGreaterThanOrEqual(low - 1e-9);
        expect(found).toBeLessThanOrEqual(high + 1e-9);
      }),
    );
  });
});
