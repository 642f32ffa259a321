import { finish } from '@decision-ledger/contract/steps';
import { testRatio } from '@decision-ledger/experiments/balance';
import {
  estimateEffects,
  type IntervalEstimate,
  minimumDetectableEffect,
  type Predict,
} from '@decision-ledger/experiments/estimate';
import { fitPredictions } from '@decision-ledger/experiments/regression';
import { type Observation, sampleOf } from '@decision-ledger/experiments/sample';
import { areInconsistent, tallyArms } from '@decision-ledger/experiments/tally';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Decisions as `[arm, customer, propensity, money]`. */
type Row = readonly [arm: number, cluster: number, propensity: number, money: number];

const observe = (rows: readonly Row[]): Observation[] =>
  rows.map(([arm, cluster, propensity, money]) => {
    return { arm, cluster, propensity, money, time: 0, covered: null };
  });

function sampleFrom(rows: readonly Row[]) {
  const arms = 1 + Math.max(...rows.map(([arm]) => arm));
  const clusters = 1 + Math.max(...rows.map(([, cluster]) => cluster));
  return sampleOf(observe(rows), arms, clusters);
}

function difference(rows: readonly Row[], predict: Predict | null = null): IntervalEstimate {
  const { differences } = finish(estimateEffects(sampleFrom(rows), 0, predict));
  const [, own] = differences;
  if (own === undefined) throw new Error('there is no second arm');
  return own;
}

/** Standard normal values, from a fixed seed. */
function normals(count: number, seed: number): number[] {
  const uniform = fc.noBias(fc.integer({ min: 1, max: 2 ** 31 - 2 })).map((n) => n / (2 ** 31 - 1));
  return fc
    .sample(fc.tuple(uniform, uniform), { numRuns: count, seed })
    .map(([a, b]) => Math.sqrt(-2 * Math.log(a)) * Math.cos(2 * Math.PI * b));
}

describe('Weighted difference', () => {
  it('Means are weighted by one over the propensity, and the error is that worked out by hand', () => {
    const own = difference([
      [0, 0, 0.5, 2],
      [0, 1, 0.25, 6],
      [1, 2, 0.5, 10],
      [1, 3, 0.8, 4],
    ]);
    // Means (2 · 2 + 4 · 6) ÷ 6 and (2 · 10 + 1.25 · 4) ÷ 3.25. The scores are ±8 ÷ 9 and ±1.420118;
    // their squares are divided by 1 less the share of the weight: ⅔ and ⅓, 5 ÷ 13 and 8 ÷ 13.
    expect(own.value).toBeCloseTo(25 / 3.25 - 28 / 6, 12);
    const control = (8 / 9) ** 2 * (3 / 2 + 3);
    const other = ((2 * (10 - 25 / 3.25)) / 3.25) ** 2 * (13 / 5 + 13 / 8);
    expect(own.standardError).toBeCloseTo(Math.sqrt(control + other), 12);
  });

  it('With equal propensities the error is that of two independent means', () => {
    const [low, high] = [normals(30, 1), normals(50, 2)];
    const rows = [
      ...low.map((money, n): Row => [0, n, 0.5, money]),
      ...high.map((money, n): Row => [1, 30 + n, 0.5, 3 + money]),
    ];
    const own = difference(rows);
    const variance = (values: readonly number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    };
    expect(own.standardError).toBeCloseTo(Math.sqrt(variance(low) / 30 + variance(high) / 50), 12);
    expect(own.degrees).toBeCloseTo(29, 9);
    expect(own.high - own.low).toBeCloseTo(2 * 2.04523 * own.standardError, 4);
    expect(minimumDetectableEffect(own)).toBeCloseTo((2.04523 + 0.854192) * own.standardError, 4);
  });

  it('What a customer does in both arms cancels, and repeating its decisions adds no precision', () => {
    const levels = normals(40, 3);
    const both = levels.flatMap((level, n): Row[] => [
      [0, n, 0.5, 100 * level],
      [1, n, 0.5, 100 * level + 7],
    ]);
    expect(difference(both)).toMatchObject({ value: expect.closeTo(7, 9) });
    expect(difference(both).standardError).toBeCloseTo(0, 9);
    const single = levels.map((level, n): Row => [n % 2, n, 0.5, level]);
    const repeated = [...single, ...single, ...single];
    expect(difference(repeated).standardError).toBeCloseTo(difference(single).standardError, 12);
    expect(difference(repeated).degrees).toBeCloseTo(difference(single).degrees, 9);
  });

  it('The error agrees with a bootstrap of the customers', () => {
    const customers = normals(240, 4).map((level, n) => {
      const noise = normals(1 + (n % 5), 100 + n);
      return noise.map((own, turn): Row => {
        const propensity = [0.2, 0.5, 0.8][n % 3] ?? 0.5;
        const arm = (n * 7 + turn * 3) % 10 < 10 * propensity ? 1 : 0;
        return [arm, n, arm === 1 ? propensity : 1 - propensity, 5 + 2 * level + own + arm];
      });
    });
    const direct = (rows: readonly Row[]) => {
      const mean = (arm: number) => {
        const own = rows.filter(([place]) => place === arm);
        const weight = own.reduce((sum, [, , propensity]) => sum + 1 / propensity, 0);
        return own.reduce((sum, [, , p, money]) => sum + money / p, 0) / weight;
      };
      return mean(1) - mean(0);
    };
    const draws = fc.sample(
      fc.array(fc.noBias(fc.nat({ max: 239 })), { minLength: 240, maxLength: 240 }),
      {
        numRuns: 400,
        seed: 5,
      },
    );
    const values = draws.map((draw) => direct(draw.flatMap((n) => customers[n] ?? [])));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(
      values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
    );
    const own = difference(customers.flat());
    expect(own.value).toBeCloseTo(direct(customers.flat()), 12);
    expect(own.standardError / deviation).toBeGreaterThan(0.9);
    expect(own.standardError / deviation).toBeLessThan(1.1);
  });
});

describe('Adjustment for covariates', () => {
  const before = normals(200, 6);
  const noise = normals(200, 7);
  const rows = before.map((own, n): Row => {
    const arm = (n * 7919) % 10 < 3 ? 1 : 0;
    return [arm, n, arm === 1 ? 0.3 : 0.7, 20 + 10 * own + (noise[n] ?? 0) + 3 * arm];
  });
  const column = Float64Array.from(before);

  it('With given predictions the estimate is the augmented sum worked out directly', () => {
    const guess = (n: number, arm: number) => 2 * n + 5 * arm;
    const few: Row[] = [
      [0, 0, 0.5, 2],
      [1, 1, 0.4, 9],
      [0, 2, 0.6, 8],
      [1, 3, 0.5, 20],
    ];
    const mean = (arm: number) => {
      const own = few.filter(([place]) => place === arm);
      const weight = own.reduce((sum, [, , p]) => sum + 1 / p, 0);
      const beyond = own.reduce((sum, [, n, p, money]) => sum + (money - guess(n, arm)) / p, 0);
      return few.reduce((sum, [, n]) => sum + guess(n, arm), 0) / 4 + beyond / weight;
    };
    expect(difference(few, guess).value).toBeCloseTo(mean(1) - mean(0), 12);
  });

  it('A strong covariate narrows the interval and keeps the difference', () => {
    const predict = finish(fitPredictions(sampleFrom(rows), [column]));
    const [plain, adjusted] = [difference(rows), difference(rows, predict)];
    expect(adjusted.standardError).toBeLessThan(plain.standardError / 3);
    expect(adjusted.low).toBeLessThan(3);
    expect(adjusted.high).toBeGreaterThan(3);
  });

  it('The money of a customer does not change its own prediction', () => {
    const predict = finish(fitPredictions(sampleFrom(rows), [column]));
    const changed = rows.map((row): Row => (row[1] === 17 ? [row[0], 17, row[2], 1e6] : row));
    const other = finish(fitPredictions(sampleFrom(changed), [column]));
    for (const arm of [0, 1]) expect(other?.(17, arm)).toBe(predict?.(17, arm));
    const all = before.map((_, n) => n);
    expect(
      all.some((n) => other?.(n, rows[17]?.[0] ?? 0) !== predict?.(n, rows[17]?.[0] ?? 0)),
    ).toBe(true);
  });

  it('A covariate that does not vary is not used', () => {
    expect(finish(fitPredictions(sampleFrom(rows), [new Float64Array(200)]))).toBeNull();
    expect(finish(fitPredictions(sampleFrom(rows), [new Float64Array(200).fill(3)]))).toBeNull();
  });
});

describe('Sample ratio', () => {
  const counts = (numbers: readonly number[], propensities: readonly number[]): Row[] =>
    numbers
      .flatMap((count, arm) => Array.from({ length: count }, () => arm))
      .map((arm, n) => [arm, n, propensities[arm] ?? 0, 0]);

  it('With halves and one decision for each customer it is the test of Pearson', () => {
    // 60 and 40 of 100: (10² + 10²) ÷ 50 = 4.
    const test = finish(testRatio(sampleFrom(counts([60, 40], [0.5, 0.5]))));
    expect(test).toMatchObject({ statistic: expect.closeTo(4, 9), degrees: 1 });
    expect(test?.p).toBeCloseTo(0.0455003, 6);
  });

  it('A customer counts once, however many decisions it has', () => {
    const single = counts([60, 40], [0.5, 0.5]);
    const test = finish(testRatio(sampleFrom([...single, ...single, ...single])));
    expect(test?.statistic).toBeCloseTo(4, 9);
  });

  it('Three arms are tested with two degrees of freedom', () => {
    const right = finish(testRatio(sampleFrom(counts([500, 300, 200], [0.5, 0.3, 0.2]))));
    expect(right).toMatchObject({ statistic: expect.closeTo(0, 9), degrees: 2 });
    const wrong = finish(testRatio(sampleFrom(counts([500, 400, 100], [0.5, 0.3, 0.2]))));
    expect(wrong?.p).toBeLessThan(1e-6);
  });

  it('Propensities that do not add up to one are inconsistent, and lost decisions are not', () => {
    const check = (numbers: readonly number[], propensities: readonly number[]) =>
      areInconsistent(finish(tallyArms(sampleFrom(counts(numbers, propensities)))));
    expect(check([50, 50], [0.5, 0.5])).toBe(false);
    expect(check([90, 10], [0.5, 0.5])).toBe(false);
    expect(check([33, 33, 33], [0.33, 0.33, 0.33])).toBe(false);
    expect(check([50, 50], [1, 1])).toBe(true);
    expect(check([50, 50], [0.5, 0.3])).toBe(true);
    const varying = (scale: number) =>
      Array.from({ length: 400 }, (_, n): Row => {
        const propensity = n % 2 === 0 ? 0.25 : 0.75;
        const arm = n % 8 < 2 ? 1 - (n % 2) : n % 2;
        return [arm, n, scale * (arm === 1 ? propensity : 1 - propensity), 0];
      });
    expect(areInconsistent(finish(tallyArms(sampleFrom(varying(1)))))).toBe(false);
    expect(areInconsistent(finish(tallyArms(sampleFrom(varying(0.5)))))).toBe(true);
  });
});
