import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { type Controls, controlsOf } from './controls.js';
import { meanSpread, NO_DISPERSION } from './dispersion.js';
import type { ActionTypeExperience, Dispersion } from './experience.js';
import { adjustOdds, totalOf } from './frequency.js';
import {
  type PooledRates,
  poolRates,
  type RateChain,
  rateOf,
  type VariantTally,
} from './pooling.js';
import { own, scenarioOf } from './scenario.js';
import { type Severity, severityOf } from './severity.js';

const DAY_MS = 86_400_000;

/** The figures that the estimates of an action type share. Amounts are in the base currency. */
export interface ActionTypeModel {
  /** Outcomes as decisions of usual risk. */
  readonly tallies: readonly VariantTally[];
  readonly prior: { readonly expected: number; readonly credibility: number };
  readonly rates: PooledRates;
  readonly controls: Controls;
  readonly rateOf: (agentId: string, variant: string) => RateChain;
  /** Lower limit of the probability of a loss. */
  readonly minProbability: number;
  /** Whether the expected rate weighs more than the own outcomes. */
  readonly isPrior: boolean;
  readonly severity: Severity;
  readonly usualAmount: { readonly amount: number; readonly basis: 'median' | 'matrix' };
  readonly responseCost: number;
  readonly horizonMs: number;
}

const INEXPERIENCED: ActionTypeExperience = {
  variants: [],
  severity: { count: 0, sum: 0, squares: 0 },
  median_amount: null,
};

export function actionTypeModel(
  settings: LiabilitySettings,
  actionType: string,
  dispersion: Dispersion | null = null,
  experience: ActionTypeExperience = INEXPERIENCED,
): ActionTypeModel {
  const scenario = scenarioOf(settings, actionType);
  const { variants, severity, median_amount } = experience;
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
    rateOf: rememberRates(rates),
    minProbability: settings.benchmark_floor * scenario.lossRate,
    isPrior: resolved < credibility,
    severity: severityOf(severity, settings.severity_spread, settings.severity_credibility),
    usualAmount:
      median_amount === null
        ? { amount: scenario.amount, basis: 'matrix' }
        : { amount: median_amount, basis: 'median' },
    responseCost: Number(settings.response_cost),
    horizonMs:
      DAY_MS * (own(loss_horizon_days_by_action_type, actionType) ?? settings.loss_horizon_days),
  };
}

/** Outcomes as decisions of usual risk: one at twice the usual odds counts about twice. */
function standardise(
  { variants }: Pick<ActionTypeExperience, 'variants'>,
  controls: Controls,
): VariantTally[] {
  const { usual } = controls;
  return variants.map(({ agent_id, variant, outcomes }) => {
    const factorOf = controls.confidenceFactor(agent_id);
    let [decisions, losses] = [0, 0];
    for (const outcome of outcomes) {
      const factor =
        factorOf(outcome.confidence / outcome.decisions) * controls.humanFactors[outcome.oversight];
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
    const chain = rateOf(rates, agentId, variant);
    known.set(key, chain);
    return chain;
  };
}
