import { solveCholesky } from '@decision-ledger/numerics/cholesky';
import { chiSquareTail, logGamma, tQuantile } from '@decision-ledger/numerics/distributions';
import { describe, expect, it } from 'vitest';

describe('Linear systems', () => {
  it('A positive definite system is solved', () => {
    // Checked by hand: 4·1 + 2·2 = 8 and 2·1 + 3·2 = 8.
    const [x = 0, y = 0] = solveCholesky(Float64Array.of(4, 2, 2, 3), Float64Array.of(8, 8)) ?? [];
    expect(x).toBeCloseTo(1, 12);
    expect(y).toBeCloseTo(2, 12);
  });

  it('A matrix that is not positive definite has no solution', () => {
    expect(solveCholesky(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 2))).toBeNull();
    expect(solveCholesky(Float64Array.of(-1), Float64Array.of(1))).toBeNull();
  });
});

describe('Distributions', () => {
  it.for([
    [0.975, 1, 12.7062047],
    [0.975, 2, 4.3026527],
    [0.975, 10, 2.2281389],
    [0.8, 30, 0.8537673],
    [0.975, 1e9, 1.959966],
  ])('The quantile %d of t with %d degrees of freedom is that of the tables', ([p, df, value]) => {
    expect(tQuantile(p ?? 0, df ?? 0)).toBeCloseTo(value ?? 0, 5);
  });

  it.for([
    [2.705543454, 1, 0.1],
    [3.841458821, 1, 0.05],
    [6.634896601, 1, 0.01],
    [10.82756617, 1, 0.001],
    [5.9914645, 2, 0.05],
    [7.8147279, 3, 0.05],
    [2.3659739, 3, 0.5],
    [0, 3, 1],
  ])('Chi-square exceeds %d with %d degrees of freedom as the tables say', ([x, df, p]) => {
    expect(chiSquareTail(x ?? 0, df ?? 0)).toBeCloseTo(p ?? 0, 7);
  });

  it.for([
    [0.01, 4.599479878042022],
    [0.5, Math.log(Math.PI) / 2],
    [1, 0],
    [11, Math.log(3_628_800)],
  ])('The logarithm of the gamma function of %d is that of the tables', ([x, value]) => {
    expect(logGamma(x ?? 0)).toBeCloseTo(value ?? 0, 12);
  });
});
