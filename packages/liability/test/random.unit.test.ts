import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  betaSampler,
  gammaSampler,
  normalSource,
  type RandomState,
  seededRandom,
  xoshiro128,
} from '#liability/random';

const WORD = 2n ** 32n;

/** The generator from its published description, in bigints. */
function* reference(state: RandomState): Generator<number> {
  const s = state.map((word) => BigInt(word) & (WORD - 1n));
  const rotate = (word: bigint, by: bigint) => ((word << by) | (word >> (32n - by))) % WORD;
  for (;;) {
    const [a = 0n, b = 0n, c = 0n, d = 0n] = s;
    yield Number((rotate((b * 5n) % WORD, 7n) * 9n) % WORD);
    s[0] = a ^ d ^ b;
    s[1] = b ^ c ^ a;
    s[2] = c ^ a ^ ((b << 9n) % WORD);
    s[3] = rotate(d ^ b, 11n);
  }
}

function sample(size: number, draw: () => number): number[] {
  return Array.from({ length: size }, draw);
}

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const about = (power: number) =>
    values.reduce((sum, value) => sum + (value - mean) ** power, 0) / values.length;
  return { mean, variance: about(2), skew: about(3) / about(2) ** 1.5, fourth: about(4) };
}

describe('Seeded randomness', () => {
  it('The generator is xoshiro128**, word for word', () => {
    const word = fc.integer();
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), (state) => {
        const next = xoshiro128(state);
        const words = reference(state);
        for (let at = 0; at < 50; at += 1) expect(next()).toBe(words.next().value);
      }),
    );
    expect(sample(3, xoshiro128([1, 2, 3, 4]))).toEqual([11_520, 0, 5_927_040]);
  });

  it('The same seed gives the same sequence, and another seed another', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const [a, b, c] = [one, one, other].map((seed) => sample(20, seededRandom(seed)));
        expect(a).toEqual(b);
        if (one !== other) expect(c).not.toEqual(a);
      }),
    );
  });

  it('Draws are uniform between 0 and 1, from the first draw of each seed', () => {
    for (const values of [
      sample(20_000, seededRandom('ledger 2026-04-16')),
      Array.from({ length: 20_000 }, (_, index) => seededRandom(`ledger ${index}`)()),
    ]) {
      expect(Math.min(...values)).toBeGreaterThan(0);
      expect(Math.max(...values)).toBeLessThan(1);
      const bins = Array<number>(20).fill(0);
      for (const value of values)
        bins[Math.floor(value * 20)] = (bins[Math.floor(value * 20)] ?? 0) + 1;
      // Chi squared with 19 degrees of freedom exceeds 43.8 once in a thousand.
      expect(bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(43.8);
    }
  });

  it('Normal draws have the right mean, variance, skewness and tails', () => {
    const values = sample(100_000, normalSource(seededRandom('normal')));
    const { mean, variance, skew, fourth } = momentsOf(values);
    // Five standard errors each.
    expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(1e5));
    expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 1e5));
    expect(Math.abs(skew)).toBeLessThan(5 * Math.sqrt(6 / 1e5));
    expect(Math.abs(fourth - 3)).toBeLessThan(5 * Math.sqrt(96 / 1e5));
    const pairs = values.slice(1).map((value, index) => value * (values[index] ?? 0));
    expect(Math.abs(momentsOf(pairs).mean)).toBeLessThan(5 / Math.sqrt(1e5));
  });
});

/** P(X ≤ x) by integrating the density (Simpson), without the negligible ends. */
function betaBelow(x: number, alpha: number, beta: number): number {
  const steps = 20_000;
  const density = (at: number) => at ** (alpha - 1) * (1 - at) ** (beta - 1);
  const area = (from: number, to: number) => {
    const width = (to - from) / steps;
    let sum = density(from) + density(to);
    for (let step = 1; step < steps; step += 1) {
      sum += density(from + step * width) * (step % 2 === 1 ? 4 : 2);
    }
    return (sum * width) / 3;
  };
  const below = area(0, x);
  return below / (below + area(x, 1));
}

describe('Beta draws', () => {
  const SIZE = 40_000;
  const draws = (alpha: number, beta: number) => {
    const random = seededRandom(`beta ${alpha} ${beta}`);
    return sample(SIZE, betaSampler(alpha, beta, random, normalSource(random)));
  };

  it.for([
    [2, 198],
    [84, 5116],
    [0.1, 199.9],
    [0.5, 0.5],
    [1, 1],
    [40, 160],
    [199.9, 0.1],
    [1e-9, 1],
  ])(
    'Beta draws with shapes %d and %d have the right mean and variance',
    ([alpha = 0, beta = 0]) => {
      const { mean, variance, fourth } = momentsOf(draws(alpha, beta));
      const total = alpha + beta;
      const expected = (alpha * beta) / (total ** 2 * (total + 1));
      expect(Math.abs(mean - alpha / total)).toBeLessThan(5 * Math.sqrt(expected / SIZE) + 1e-8);
      const spread = Math.sqrt(Math.max(0, fourth - variance ** 2) / SIZE);
      expect(Math.abs(variance - expected)).toBeLessThan(5 * spread + 1e-8);
    },
  );

  it.for([
    [2, 198],
    [84, 5116],
    [1.5, 3],
    [40, 160],
  ])('Beta draws with shapes %d and %d have the right distribution', ([alpha = 0, beta = 0]) => {
    const values = draws(alpha, beta).sort((a, b) => a - b);
    for (const share of [0.05, 0.25, 0.5, 0.75, 0.95, 0.99]) {
      const at = values[Math.floor(share * SIZE)] ?? 0;
      const error = Math.sqrt((share * (1 - share)) / SIZE);
      expect(Math.abs(betaBelow(at, alpha, beta) - share)).toBeLessThan(5 * error);
    }
  });

  it('Beta draws lie between 0 and 1 for any shapes', () => {
    const shape = fc.double({ min: -9, max: 7, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(shape, shape, fc.string(), (alpha, rest, seed) => {
        // One of the two is never small: together they are worth at least one decision.
        const beta = Math.max(rest, 1 - alpha);
        const random = seededRandom(seed);
        for (const value of sample(20, betaSampler(alpha, beta, random, normalSource(random)))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('Gamma draws have their shape as mean and variance', () => {
    for (const shape of [0.2, 1, 3, 250]) {
      const random = seededRandom(`gamma ${shape}`);
      const values = sample(SIZE, gammaSampler(shape, random, normalSource(random)));
      const { mean, variance, fourth } = momentsOf(values);
      expect(Math.abs(mean - shape)).toBeLessThan(5 * Math.sqrt(shape / SIZE));
      const spread = Math.sqrt((fourth - variance ** 2) / SIZE);
      expect(Math.abs(variance - shape)).toBeLessThan(5 * spread);
    }
  });
});
