import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { estimate as est } from './estimate.js';
export const LIABILITY_VERSION = 'liability/v1';
export type Oversight = 'none' | 'human_in_loop' | 'reviewer';
export interface Facts {
  readonly actionType: string;
  readonly confidence: number;
  readonly oversight: Oversight;
  readonly timestamp: number;
  readonly stated: number | null;
  readonly linked: number | null;
  readonly realised: number;
}
export interface Outcomes {
  readonly confidence_bin: number;
  readonly oversight: Oversight;
  readonly decisions: number;
  readonly losses: number;
}
export interface ActionTypeExperience {
  readonly outcomes: readonly Outcomes[];
  readonly severity: { readonly sum: number; readonly count: number };
  readonly median_amount: number | null;
}
export interface Experience {
  readonly action_types: { readonly [actionType: string]: ActionTypeExperience };
}
export interface Estimate {
  exposure: number;
  low: number;
  high: number;
  parts: {
    base_rate: number;
    confidence_factor: number;
    human_factor: number;
    loss_probability: number;
    amount_at_risk: number;
    amount_basis: 'stated' | 'linked' | 'median' | 'matrix';
    severity: number;
    response_cost: number;
    open_share: number;
    realised: number;
  };
}
export type Estimator = (facts: Facts, asOf: number) => Estimate;
export function estimator(settings: LiabilitySettings, experience: Experience): Estimator {
  return (facts, asOf) => {
    const own = experience.action_types[facts.actionType];
    const e = { decisions: 0, losses: 0 };
    for (const o of own?.outcomes ?? []) {
      e.decisions += o.decisions;
      e.losses += o.losses;
    }
    const [amountAtRisk, amount_basis] =
      facts.stated !== null
        ? [facts.stated, 'stated' as const]
        : (facts.linked ?? 0) > 0
          ? [facts.linked ?? 0, 'linked' as const]
          : own?.median_amount != null
            ? [own.median_amount, 'median' as const]
            : [1000, 'matrix' as const];
    const r = est({
      confidence: facts.confidence,
      oversight: {
        humanInLoop: facts.oversight !== 'none',
        hasReviewer: facts.oversight === 'reviewer',
      },
      experience: e,
      benchmark: 0.01,
      amountAtRisk,
      severities: own?.severity ?? { sum: 0, count: 0 },
      responseCost: Number(settings.response_cost),
      openShare: Math.max(
        0,
        Math.min(1, 1 - (asOf - facts.timestamp) / (settings.loss_horizon_days * 86400000)),
      ),
      realised: facts.realised,
    });
    return { ...r, parts: { ...r.parts, amount_basis } };
  };
}
