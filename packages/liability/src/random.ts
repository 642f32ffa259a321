import { finish, fold } from '@decision-ledger/contract/fold';

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
export function normal(random: Random): Random {
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
