import type { ActionTypeModel } from './action-type.js';
import type { Oversight } from './experience.js';
import { adjustOdds } from './frequency.js';
import { interval } from './interval.js';

/** What is known of a decision. Amounts are in the base currency. */
export interface Facts {
  readonly actionType: string;
  readonly confidence: number;
  readonly oversight: Oversight;
  /** ms. */
  readonly timestamp: number;
  /** Magnitude of the amount that the outputs state; 0 is an amount. */
  readonly stated: number | null;
  /** Shares of the amounts that links lead to, magnitudes added up. */
  readonly linked: number | null;
  /** Net loss on confirmed links. */
  readonly realised: number;
}

/** What a decision could still cost: expected, and the middle 90 %, with what made it up. */
export interface Estimate {
  readonly exposure: number;
  readonly low: number;
  readonly high: number;
  readonly parts: {
    readonly base_rate: number;
    readonly confidence_factor: number;
    readonly human_factor: number;
    readonly loss_probability: number;
    readonly amount_at_risk: number;
    readonly amount_basis: 'stated' | 'linked' | 'median' | 'matrix';
    readonly severity: number;
    readonly response_cost: number;
    readonly open_share: number;
    readonly realised: number;
  };
}

/**
 * Frequency × magnitude (FAIR, the Open Group), plus what was lost already.
 * @param asOf ms
 */
export function estimate(model: ActionTypeModel, facts: Facts, asOf: number): Estimate {
  const { base, severity, responseCost, leastProbability } = model;
  const { realised } = facts;
  const forConfidence = model.confidenceFactor(facts.confidence);
  const forPeople = model.humanFactors[facts.oversight];
  const probability = Math.max(leastProbability, adjustOdds(base.rate, forConfidence * forPeople));
  const { amount, basis } = amountAtRisk(model, facts);
  const openShare = shareStillOpen(facts.timestamp, asOf, model.horizonMs);
  const expected = probability * (severity * amount + responseCost) * openShare;
  const { low, high } = interval(expected, model.rateVariance, model.severitySpread);
  return {
    exposure: expected + realised,
    low: low + realised,
    high: high + realised,
    parts: {
      base_rate: base.rate,
      confidence_factor: forConfidence,
      human_factor: forPeople,
      loss_probability: probability,
      amount_at_risk: amount,
      amount_basis: basis,
      severity,
      response_cost: responseCost,
      open_share: openShare,
      realised,
    },
  };
}

function amountAtRisk(
  { usualAmount }: ActionTypeModel,
  { stated, linked }: Facts,
): { readonly amount: number; readonly basis: Estimate['parts']['amount_basis'] } {
  if (stated !== null) return { amount: stated, basis: 'stated' };
  if (linked !== null && linked > 0) return { amount: linked, basis: 'linked' };
  return usualAmount;
}

/** Share of the horizon that is to come: 1 up to the decision, 0 from its end on. */
function shareStillOpen(timestamp: number, asOf: number, horizonMs: number): number {
  return Math.min(1, Math.max(0, 1 - (asOf - timestamp) / horizonMs));
}
