import type { Beta } from './frequency.js';
import { gammaSampler, normal, type Random, seededRandom } from './random.js';

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
  const normally = normal(uniform);
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
