import type { ActionTypeModel } from './action-type.js';
import type { Oversight } from './experience.js';
import { adjustOdds } from './frequency.js';

/** Inputs of the estimate of a decision. Amounts are in the base currency. */
export interface Facts {
  readonly actionType: string;
  readonly confidence: number;
  readonly oversight: Oversight;
  /** ms. */
  readonly timestamp: number;
  /** Magnitude of the amount in the outputs; 0 is an amount. */
  readonly stated: number | null;
  /** Sum of the magnitudes of the linked shares. */
  readonly linked: number | null;
  /** Net loss on confirmed links. */
  readonly realised: number;
}

/** What a decision could still cost: the expected value, a 90 % interval, and the parts. */
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
 * Frequency × magnitude (FAIR, the Open Group), plus realised losses.
 * @param asOf ms
 */
export function estimate(model: ActionTypeModel, facts: Facts, asOf: number): Estimate {
  const { base, severity, responseCost, minProbability } = model;
  const { realised } = facts;
  const confidenceFactor = model.confidenceFactor(facts.confidence);
  const humanFactor = model.humanFactors[facts.oversight];
  const adjusted = adjustOdds(base.rate, confidenceFactor * humanFactor);
  const probability = Math.max(minProbability, adjusted);
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
      confidence_factor: confidenceFactor,
      human_factor: humanFactor,
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

/** Share of the horizon that is left: 1 until the decision, 0 from the end of the horizon. */
function shareStillOpen(timestamp: number, asOf: number, horizonMs: number): number {
  return Math.min(1, Math.max(0, 1 - (asOf - timestamp) / horizonMs));
}

/** Quantile of the standard normal distribution for the middle 90 %. */
const Z_90 = 1.645;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * 90 % interval around an expected loss, log-normal with that mean.
 * @param rateVariance relative variance of the loss rate, before adjustments
 * @param severitySpread standard deviation of the logarithm of losses
 */
function interval(expected: number, rateVariance: number, severitySpread: number): Interval {
  const variance = Math.log1p(rateVariance) + severitySpread ** 2;
  const at = (z: number) => expected * Math.exp(-variance / 2 + z * Math.sqrt(variance));
  return { low: at(-Z_90), high: at(Z_90) };
}
