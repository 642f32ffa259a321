import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { CONFIDENCE_BINS, confidenceFactor, humanFactors } from './controls.js';
import type { ActionTypeExperience, Outcomes, Oversight } from './experience.js';
import { type LossRate, lossRate, relativeVariance, totalOf } from './frequency.js';
import { own, scenarioOf } from './scenario.js';

const DAY_MS = 86_400_000;

/** The figures that all estimates of an action type share. Amounts are in the base currency. */
export interface ActionTypeModel {
  readonly base: LossRate;
  readonly rateVariance: number;
  /** Lower limit of the probability of a loss. */
  readonly minProbability: number;
  readonly confidenceFactor: (confidence: number) => number;
  readonly humanFactors: Readonly<Record<Oversight, number>>;
  /** Share of the amount at risk that a loss takes. */
  readonly severity: number;
  readonly severitySpread: number;
  readonly usualAmount: { readonly amount: number; readonly basis: 'median' | 'matrix' };
  readonly responseCost: number;
  readonly horizonMs: number;
}

const INEXPERIENCED: ActionTypeExperience = {
  outcomes: [],
  severity: { sum: 0, count: 0 },
  median_amount: null,
};

export function actionTypeModel(
  settings: LiabilitySettings,
  actionType: string,
  experience: ActionTypeExperience = INEXPERIENCED,
): ActionTypeModel {
  const scenario = scenarioOf(settings, actionType);
  const { outcomes, severity, median_amount } = experience;
  const { credibility, severity_credibility, loss_horizon_days_by_action_type } = settings;
  const base = lossRate(totalOf(outcomes), scenario.lossRate, credibility);
  const expected = { rate: scenario.lossRate, credibility };
  return {
    base,
    rateVariance: relativeVariance(base),
    minProbability: settings.benchmark_floor * scenario.lossRate,
    confidenceFactor: confidenceFactor(settings.confidence, byBin(outcomes), {
      rate: base.rate,
      credibility,
    }),
    humanFactors: humanFactors(settings.oversight, byOversight(outcomes), expected),
    severity: (severity_credibility + severity.sum) / (severity_credibility + severity.count),
    severitySpread: settings.severity_spread,
    usualAmount:
      median_amount === null
        ? { amount: scenario.amount, basis: 'matrix' }
        : { amount: median_amount, basis: 'median' },
    responseCost: Number(settings.response_cost),
    horizonMs:
      DAY_MS * (own(loss_horizon_days_by_action_type, actionType) ?? settings.loss_horizon_days),
  };
}

function byBin(outcomes: readonly Outcomes[]) {
  return Array.from({ length: CONFIDENCE_BINS }, (_, bin) =>
    totalOf(outcomes.filter(({ confidence_bin }) => confidence_bin === bin)),
  );
}

function byOversight(outcomes: readonly Outcomes[]) {
  const of = (oversight: Oversight) =>
    totalOf(outcomes.filter((outcome) => outcome.oversight === oversight));
  return { none: of('none'), human_in_loop: of('human_in_loop'), reviewer: of('reviewer') };
}
