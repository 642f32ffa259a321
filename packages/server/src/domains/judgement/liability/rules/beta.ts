import type { Random } from './random.js';

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
