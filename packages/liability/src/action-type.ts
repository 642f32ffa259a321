import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { type Controls, controlsOf } from './controls.js';
import { meanSpread, NO_DISPERSION } from './dispersion.js';
import type { ActionTypeExperience, Dispersion, SeverityTally } from './experience.js';
import { type RateChain, rateChainOf } from './rate-chain.js';
import { adjustOdds, type PooledRates, poolRates, totalOf, type VariantTally } from './rates.js';
import type { Curve } from './ratio-curve.js';
import { sizeCurve } from './sizes.js';

const DAY_MS = 86_400_000;
/** An amount is an outlier beyond this multiple of the largest one that was approved before. */
const OUTLIER = 10;

/** The figures that the estimates of an action type share. Amounts are in the base currency. */
export interface ActionTypeModel {
  /** Outcomes as decisions of usual risk. */
  readonly tallies: readonly VariantTally[];
  readonly prior: { readonly expected: number; readonly credibility: number };
  readonly rates: PooledRates;
  readonly controls: Controls;
  /** What a stated amount does to the odds of a loss. */
  readonly amountFactor: Curve;
  readonly rateOf: (agentId: string, variant: string) => RateChain;
  /** Lower limit of the probability of a loss. */
  readonly minProbability: number;
  /** Whether the expected rate weighs more than the own outcomes. */
  readonly isPrior: boolean;
  readonly severity: Severity;
  readonly usualAmount: { readonly amount: number; readonly basis: 'median' | 'matrix' };
  /** Stated amounts above it are outliers. */
  readonly usualLimit: number;
  readonly responseCost: number;
  readonly horizonMs: number;
}

const INEXPERIENCED: ActionTypeExperience = {
  variants: [],
  sizes: [],
  severity: { count: 0, sum: 0, squares: 0 },
  median_amount: null,
  largest_amount: null,
};

export function actionTypeModel(
  settings: LiabilitySettings,
  actionType: string,
  dispersion: Dispersion | null = null,
  experience: ActionTypeExperience = INEXPERIENCED,
): ActionTypeModel {
  const scenario = scenarioOf(settings, actionType);
  const { variants, severity, median_amount, largest_amount } = experience;
  const { credibility, loss_horizon_days_by_action_type } = settings;
  const prior = { expected: scenario.lossRate, credibility };
  const controls = controlsOf(settings, variants, prior);
  const spread = dispersion ?? NO_DISPERSION;
  const tallies = standardise(experience, controls);
  const rates = poolRates(tallies, prior, {
    agents: meanSpread(spread.agents),
    versions: meanSpread(spread.versions),
  });
  const resolved = totalOf(variants.flatMap(({ outcomes }) => outcomes)).decisions;
  return {
    tallies,
    prior,
    rates,
    controls,
    amountFactor: sizeCurve(experience.sizes),
    rateOf: rememberRates(rates),
    minProbability: settings.benchmark_floor * scenario.lossRate,
    isPrior: resolved < credibility,
    severity: severityOf(severity, settings.severity_spread, settings.severity_credibility),
    usualAmount:
      median_amount === null
        ? { amount: scenario.amount, basis: 'matrix' }
        : { amount: median_amount, basis: 'median' },
    usualLimit: largest_amount === null ? Number.POSITIVE_INFINITY : OUTLIER * largest_amount,
    responseCost: Number(settings.response_cost),
    horizonMs:
      DAY_MS *
      (ownValue(loss_horizon_days_by_action_type, actionType) ?? settings.loss_horizon_days),
  };
}

/** Outcomes as decisions of usual risk: one at twice the usual odds counts about twice. */
function standardise(
  { variants }: Pick<ActionTypeExperience, 'variants'>,
  controls: Controls,
): VariantTally[] {
  const { usual } = controls;
  return variants.map(({ agent_id, variant, size_factor, outcomes }) => {
    const factorOf = controls.confidenceFactor(agent_id);
    let [decisions, losses] = [0, 0];
    for (const outcome of outcomes) {
      const human = controls.humanFactors[outcome.oversight];
      const factor = factorOf(outcome.confidence / outcome.decisions) * human * size_factor;
      decisions += outcome.decisions * (adjustOdds(usual, factor) / usual);
      losses += outcome.losses;
    }
    return { agentId: agent_id, variant, decisions, losses };
  });
}

const MAX_REMEMBERED = 4000;

function rememberRates(rates: PooledRates): ActionTypeModel['rateOf'] {
  const known = new Map<string, RateChain>();
  return (agentId, variant) => {
    const key = `${variant} ${agentId}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const chain = rateChainOf(rates, agentId, variant);
    known.set(key, chain);
    return chain;
  };
}

/** Expectation for an action type without experience. */
export interface Scenario {
  /** From its benchmark, or else from its likelihood. */
  readonly lossRate: number;
  /** At risk, in the base currency. */
  readonly amount: number;
}

/** Reads the risk matrix at the cell of an action type. */
function scenarioOf(settings: LiabilitySettings, actionType: string): Scenario {
  const { likelihood, severity } = ownValue(settings.matrix, actionType) ?? settings.default_cell;
  const benchmark = ownValue(settings.benchmarks, actionType);
  return {
    lossRate: benchmark?.loss_rate ?? settings.likelihoods[likelihood],
    amount: Number(settings.severities[severity]),
  };
}

/** Own member of a record: an action type may be named `constructor`. */
export function ownValue<Value>(
  record: { readonly [name: string]: Value },
  name: string,
): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A log-normal distribution of loss ÷ amount at risk. */
export interface Severity {
  readonly mean: number;
  /** Standard deviation of the logarithm. */
  readonly spread: number;
  /** Relative variance of the mean: how little is known of it. */
  readonly uncertainty: number;
  /** Median and 95th percentile. */
  readonly p50: number;
  readonly p95: number;
}

/** Quantile of the standard normal distribution. */
const Z_95 = 1.6448536269514722;
/** Losses are never assumed to be all of one size. */
const MIN_VARIANCE = 0.01;
/** Weight of the assumed spread, as a multiple of that of the assumed mean. */
const SPREAD_WEIGHT = 5;

/**
 * Sizes of losses by their moments, so that the mean stays right where losses are not log-normal. Shrunk
 * towards a mean of the whole amount and the spread of the settings, which weigh `credibility` losses.
 */
function severityOf(
  { count, sum, squares }: SeverityTally,
  assumedSpread: number,
  credibility: number,
): Severity {
  const weight = credibility + count;
  const mean = (credibility + sum) / weight;
  const around = Math.max(0, squares - 2 * mean * sum + count * mean * mean) / (mean * mean);
  const assumed = Math.expm1(assumedSpread * assumedSpread);
  // A sample of a skewed distribution seldom shows its tail, so the assumed spread weighs more.
  const spreadWeight = SPREAD_WEIGHT * credibility;
  const variance = Math.max(
    MIN_VARIANCE,
    (spreadWeight * assumed + around) / (spreadWeight + count),
  );
  const spread = Math.sqrt(Math.log1p(variance));
  const p50 = mean * Math.exp((-spread * spread) / 2);
  const p95 = p50 * Math.exp(Z_95 * spread);
  return { mean, spread, uncertainty: variance / weight, p50, p95 };
}
