import { finish, fold } from '@decision-ledger/contract/fold';
import type { Beta } from './rates.js';

/** Uniformly distributed above 0 and below 1. */
export type Random = () => number;

/** Four words of 32 bits, not all zero. */
export type RandomState = readonly [number, number, number, number];

/** The same seed gives the same sequence on every machine. */
export function seededRandom(seed: string): Random {
  const next = xoshiro128(stateOf(seed));
  // The offset of half a step excludes both ends.
  return () => (next() + 0.5) / 2 ** 32;
}

/**
 * The generator xoshiro128** (Blackman and Vigna, 2018).
 * @returns unsigned integers of 32 bits
 */
export function xoshiro128([first, second, third, fourth]: RandomState): () => number {
  let [a, b, c, d] = [first, second, third, fourth];
  return () => {
    const word = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return word;
  };
}

/** Draws from the standard normal distribution by Marsaglia's polar method (1964), two at a time. */
export function normalSource(random: Random): Random {
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    for (;;) {
      const x = 2 * random() - 1;
      const y = 2 * random() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
}

function stateOf(seed: string): RandomState {
  const word = (start: number) => finish(fold(seed, start));
  // The last bit excludes the state of all zeros, which would never change.
  return [word(0x9e3779b9), word(0x243f6a88), word(0xb7e15162), word(0x6a09e667) | 1];
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/**
 * Draws from the Beta distribution with these shapes, both above 0: the share of one Gamma variate in
 * the sum of two.
 * @param normal draws from the standard normal distribution
 */
export function betaSampler(alpha: number, beta: number, random: Random, normal: Random): Random {
  const one = gammaSampler(alpha, random, normal);
  const other = gammaSampler(beta, random, normal);
  return () => {
    const x = one();
    return x / (x + other());
  };
}

/**
 * Draws from the Gamma distribution with scale 1, by the method of Marsaglia and Tsang (ACM
 * Transactions on Mathematical Software 26, 2000): a cubed normal variate, accepted or rejected.
 */
export function gammaSampler(shape: number, random: Random, normal: Random): Random {
  if (shape < 1) {
    const larger = gammaSampler(shape + 1, random, normal);
    return () => larger() * random() ** (1 / shape);
  }
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  return () => {
    for (;;) {
      const x = normal();
      const root = 1 + c * x;
      if (root <= 0) continue;
      const v = root * root * root;
      const u = random();
      const square = x * x;
      // The squeeze of the method accepts nearly all variates without a logarithm.
      if (u < 1 - 0.0331 * square * square) return d * v;
      if (Math.log(u) < square / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  };
}

/** Draws from the distributions of the simulation. */
export interface Sampler {
  readonly uniform: Random;
  readonly normal: Random;
  beta(shapes: Beta): number;
  /** Log-normal with mean 1. @param variance of the logarithm */
  logNormal(variance: number): number;
  /** Number of losses. @param probability of each, on average */
  losses(expected: number, probability: number): number;
  /** The index of one of these weights, which sum to 1. */
  index(weights: readonly number[]): number;
}

/** The same seed gives the same sequence on every machine. */
export function sampler(seed: string): Sampler {
  const uniform = seededRandom(seed);
  const normally = normalSource(uniform);
  return {
    uniform,
    normal: normally,
    beta({ alpha, beta }) {
      const one = gammaSampler(alpha, uniform, normally)();
      const other = gammaSampler(beta, uniform, normally)();
      // Both underflow only if both shapes are tiny: then the rate is 0 or 1.
      if (one + other === 0) return uniform() < alpha / (alpha + beta) ? 1 : 0;
      return one / (one + other);
    },
    logNormal: (variance) => Math.exp(Math.sqrt(variance) * normally() - variance / 2),
    losses: (expected, probability) => drawLosses(expected, probability, uniform, normally),
    index(weights) {
      let left = uniform();
      for (const [index, weight] of weights.entries()) {
        left -= weight;
        if (left < 0) return index;
      }
      return weights.length - 1;
    },
  };
}

/** A mean from which a normal variate stands for a count. */
const MANY = 30;
/** A probability below which a Poisson variate stands for a binomial one. */
const RARE = 0.05;

function drawLosses(
  expected: number,
  probability: number,
  uniform: Random,
  normally: Random,
): number {
  if (expected <= 0) return 0;
  const chance = probability < RARE ? 0 : Math.min(probability, 1);
  const variance = expected * (1 - chance);
  if (variance >= MANY) {
    return Math.max(0, Math.round(expected + Math.sqrt(variance) * normally()));
  }
  if (chance === 0) return drawPoisson(expected, uniform);
  return drawBinomial(expected / chance, chance, uniform);
}

/** By Knuth's method, in the logarithm. */
function drawPoisson(mean: number, uniform: Random): number {
  let [count, sum] = [0, Math.log(uniform())];
  while (sum > -mean) {
    count += 1;
    sum += Math.log(uniform());
  }
  return count;
}

/** Above this number of decisions nearly all of which are losses, the rest is taken as certain. */
const MAX_TRIALS = 1000;

/** @param trials need not be whole: the last one counts by its share */
function drawBinomial(trials: number, chance: number, uniform: Random): number {
  const drawn = Math.min(trials, MAX_TRIALS);
  let losses = Math.round((trials - drawn) * chance);
  for (let left = drawn; left > 0; left -= 1) {
    if (uniform() < chance * Math.min(1, left)) losses += 1;
  }
  return losses;
}
