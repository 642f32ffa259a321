import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { Experience } from './experience.js';
import {
  adjustOdds,
  type LossRate,
  lossRate,
  oddsOf,
  relativeVariance,
  totalOf,
} from './frequency.js';
import { betaSampler, normal, type Random, seededRandom } from './random.js';
import { own, scenarioOf } from './scenario.js';

/** Sums over decisions of an action type, in the base currency. */
export interface Pool {
  actionType: string;
  /** Sum of exposure − realised. */
  expected: number;
  /** Sum of the squares of exposure − realised. */
  squares: number;
  /** Sum of (severity × amount at risk + response cost) × open share: the cost if all were losses. */
  stake: number;
  realised: number;
}

export interface Aggregate {
  /** Sum of the exposures. */
  readonly expected: number;
  /** Median and 95th percentile of the distribution of that sum. */
  readonly p50: number;
  readonly p95: number;
}

const DRAWS = 8192;
/**
 * Action types that are drawn one by one: those with the largest variance. All others are drawn
 * together, which bounds the work for any number of action types.
 */
const DRAWN_ALONE = 32;
/** Amounts are stored with six decimals: smaller ones count as zero. */
const NEGLIGIBLE = 1e-6;

/**
 * What a number of decisions could cost together. All decisions of an action type share the error of
 * its loss rate, so their intervals must not be added in quadrature. Each draw takes one rate per
 * action type from its Beta posterior and applies it to all its decisions.
 * @param pools pools of the same action type are merged
 * @param seed the same seed gives the same result
 */
export function aggregate(
  pools: readonly Pool[],
  settings: LiabilitySettings,
  experience: Experience,
  seed: string,
): Aggregate {
  const merged = merge(pools);
  const expected = merged.reduce((sum, pool) => sum + pool.expected + pool.realised, 0);
  const uncertain = merged
    .filter((pool) => pool.expected > NEGLIGIBLE && pool.stake > NEGLIGIBLE)
    .map((pool) => sourceOf(pool, settings, experience))
    .sort((a, b) => b.variance - a.variance);
  const certain = expected - uncertain.reduce((sum, source) => sum + source.mean, 0);
  const random = seededRandom(seed);
  const normally = normal(random);
  const draws = [
    ...uncertain.slice(0, DRAWN_ALONE).map((source) => drawSource(source, random, normally)),
    ...drawTogether(uncertain.slice(DRAWN_ALONE), normally),
  ];
  const outcomes = draws
    .reduce((sums, draw) => sums.map((sum) => sum + draw()), new Float64Array(DRAWS).fill(certain))
    .sort();
  return { expected, p50: percentile(outcomes, 0.5), p95: percentile(outcomes, 0.95) };
}

/** Sorted by action type, so that the order of the pools does not matter. */
function merge(pools: readonly Pool[]): Pool[] {
  const byType = new Map<string, Pool>();
  for (const pool of pools) {
    const { actionType } = pool;
    const sum = byType.get(actionType) ?? { expected: 0, squares: 0, stake: 0, realised: 0 };
    byType.set(actionType, {
      actionType,
      expected: sum.expected + pool.expected,
      squares: sum.squares + pool.squares,
      stake: sum.stake + pool.stake,
      realised: sum.realised + pool.realised,
    });
  }
  return [...byType.values()].sort((a, b) => (a.actionType < b.actionType ? -1 : 1));
}

/** An action type whose losses are uncertain. */
interface Source {
  readonly mean: number;
  readonly variance: number;
  readonly base: LossRate;
  /** Mean probability of a loss. */
  readonly probability: number;
  readonly minProbability: number;
  /** Variance of the logarithm of its losses, at a given loss rate. */
  readonly noise: number;
}

function sourceOf(pool: Pool, settings: LiabilitySettings, experience: Experience): Source {
  const { actionType, expected: mean, squares, stake } = pool;
  const scenario = scenarioOf(settings, actionType);
  const outcomes = own(experience.action_types, actionType)?.outcomes ?? [];
  const base = lossRate(totalOf(outcomes), scenario.lossRate, settings.credibility);
  const probability = Math.min(1, mean / stake);
  // Severities are independent, so their variances add; the sum is approximated by a log-normal of the
  // same mean and variance. A single decision keeps the whole spread.
  const concentration = Math.min(1, squares / mean ** 2);
  const noise = Math.log1p(Math.expm1(settings.severity_spread ** 2) * concentration);
  const relative = (1 + relativeVariance(base)) * Math.exp(noise) - 1;
  return {
    mean,
    base,
    probability,
    noise,
    variance: mean ** 2 * relative,
    minProbability: Math.min(probability, settings.benchmark_floor * scenario.lossRate),
  };
}

/**
 * Draws the cost of an action type. Its decisions keep their odds relative to the loss rate, so a drawn
 * rate moves their mean probability accordingly.
 */
function drawSource(source: Source, random: Random, normally: Random): Random {
  const { base, probability, minProbability, noise, mean } = source;
  const factor = oddsOf(probability) / oddsOf(base.rate);
  const rate = betaSampler(base.alpha, base.beta, random, normally);
  const severity = logNormal(noise, normally);
  return () => {
    const drawn = Math.max(minProbability, adjustOdds(rate(), factor));
    return mean * (drawn / probability) * severity();
  };
}

/** Independent action types with little variance each: a log-normal with the mean and variance of their sum. */
function drawTogether(sources: readonly Source[], normally: Random): Random[] {
  if (sources.length === 0) return [];
  const mean = sources.reduce((sum, source) => sum + source.mean, 0);
  const variance = sources.reduce((sum, source) => sum + source.variance, 0);
  const noise = logNormal(Math.log1p(variance / mean ** 2), normally);
  return [() => mean * noise()];
}

/** Log-normal with mean 1. */
function logNormal(variance: number, normally: Random): Random {
  const deviation = Math.sqrt(variance);
  return () => Math.exp(deviation * normally() - variance / 2);
}

/** @param share of the values that lie below; interpolates linearly between neighbours */
function percentile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
