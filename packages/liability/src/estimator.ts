import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { type ActionTypeModel, actionTypeModel, ownValue } from './action-type.js';
import type { Experience, Oversight } from './experience.js';
import { adjustOdds } from './rates.js';
import type { Provenance } from './stated-amounts.js';

/** Inputs of the estimate of a decision. Amounts are in one currency. */
export interface Facts {
  readonly actionType: string;
  readonly agentId: string;
  /** Version of the agent; empty if none is stated. */
  readonly variant: string;
  readonly confidence: number;
  readonly oversight: Oversight;
  /** ms. */
  readonly timestamp: number;
  readonly provenance: Provenance | null;
  /** Magnitude of the amount that the decision states; 0 is an amount. */
  readonly stated: number | null;
  /** Whether that is in the base currency, as the amounts of others are. */
  readonly inBase: boolean;
  readonly isDenied: boolean;
  /** Sum of the magnitudes of the linked shares. */
  readonly linked: number | null;
  /** Net loss on confirmed links. */
  readonly realised: number;
}

export type AmountBasis =
  | ('approved' | 'claimed' | 'denied' | 'read')
  | ('linked' | 'median' | 'matrix');

/** What a decision could still cost: the expected value, a 90 % interval of it, and the parts. */
export interface Estimate {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  /** Cost of a loss, should there be one: median and 95th percentile. */
  readonly lossIfAny: { readonly p50: number; readonly p95: number };
  readonly parts: {
    readonly base_rate: number;
    readonly agent_factor: number;
    readonly version_factor: number;
    readonly confidence_factor: number;
    readonly human_factor: number;
    readonly amount_factor: number;
    readonly loss_probability: number;
    /** Relative variance of the expected cost. */
    readonly uncertainty: number;
    readonly is_prior: boolean;
    readonly amount_at_risk: number;
    readonly amount_basis: AmountBasis;
    /** Whether the stated amount is far beyond all that were approved before. */
    readonly outlier: boolean;
    readonly severity: number;
    readonly severity_spread: number;
    readonly response_cost: number;
    readonly open_share: number;
    readonly realised: number;
  };
}

/**
 * Frequency × magnitude (FAIR, the Open Group), plus realised losses.
 * @param asOf ms
 */
function estimate(
  model: ActionTypeModel,
  facts: Facts,
  asOf: number,
  responseCost: number,
): Estimate {
  const { severity, minProbability, controls } = model;
  const { realised } = facts;
  const { type, agent, version } = model.rateOf(facts.agentId, facts.variant);
  const confidenceFactor = controls.confidenceFactor(facts.agentId)(facts.confidence);
  const humanFactor = controls.humanFactors[facts.oversight];
  const isOutlier = facts.inBase && facts.stated !== null && facts.stated > model.usualLimit;
  const { amount, basis } = amountAtRisk(model, facts, isOutlier);
  const isStated = basis === 'approved' || basis === 'claimed';
  const amountFactor = isStated && facts.inBase && amount > 0 ? model.amountFactor(amount) : 1;
  const adjusted = adjustOdds(version.rate, confidenceFactor * humanFactor * amountFactor);
  const probability = Math.max(minProbability, adjusted);
  const openShare = shareStillOpen(facts.timestamp, asOf, model.horizonMs);
  const open = probability * (severity.mean * amount + responseCost) * openShare;
  const uncertainty = (1 + version.variance) * (1 + severity.uncertainty) - 1;
  const { low, high } = interval(open, uncertainty);
  return {
    expected: open + realised,
    low: low + realised,
    high: high + realised,
    lossIfAny: {
      p50: severity.p50 * amount + responseCost,
      p95: severity.p95 * amount + responseCost,
    },
    parts: {
      base_rate: type.rate,
      agent_factor: agent.rate / type.rate,
      version_factor: version.rate / agent.rate,
      confidence_factor: confidenceFactor,
      human_factor: humanFactor,
      amount_factor: amountFactor,
      loss_probability: probability,
      uncertainty,
      is_prior: model.isPrior,
      amount_at_risk: amount,
      amount_basis: basis,
      outlier: isOutlier,
      severity: severity.mean,
      severity_spread: severity.spread,
      response_cost: responseCost,
      open_share: openShare,
      realised,
    },
  };
}

interface AtRisk {
  readonly amount: number;
  readonly basis: AmountBasis;
}

/** A claim that no step approved, or that is an outlier, does not count; but no more than it is at risk. */
function amountAtRisk(
  { usualAmount }: ActionTypeModel,
  { provenance, stated, isDenied, linked }: Facts,
  isOutlier: boolean,
): AtRisk {
  if (isDenied) return { amount: 0, basis: 'denied' };
  if (provenance === 'read') return { amount: 0, basis: 'read' };
  const assumed: AtRisk =
    linked !== null && linked > 0 ? { amount: linked, basis: 'linked' } : usualAmount;
  if (stated === null) return assumed;
  if (provenance === 'approved') return { amount: stated, basis: 'approved' };
  const counts = (provenance === 'claimed' && !isOutlier) || stated < assumed.amount;
  return counts ? { amount: stated, basis: 'claimed' } : assumed;
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
 * 90 % interval of an expected cost: log-normal with that mean.
 * @param uncertainty its relative variance
 */
function interval(expected: number, uncertainty: number): Interval {
  const variance = Math.log1p(uncertainty);
  const at = (z: number) => expected * Math.exp(-variance / 2 + z * Math.sqrt(variance));
  return { low: at(-Z_90), high: at(Z_90) };
}

/** Version of the model: any change that affects a figure needs a new one. */
export const LIABILITY_VERSION = 'liability/v1';

/** The models of a ledger's action types, each computed once. */
export interface Estimator {
  /**
   * @param asOf ms
   * @param responseCost that of the settings, unless the amounts are in another currency
   */
  estimate(facts: Facts, asOf: number, responseCost?: number): Estimate;
  modelOf(actionType: string): ActionTypeModel;
}

/**
 * Estimates the decisions of a ledger. Action types without settings or experience share one model, so that
 * their number does not use memory.
 */
export function estimator(settings: LiabilitySettings, experience: Experience): Estimator {
  const models = new Map<string, ActionTypeModel>();
  const tables = [
    settings.matrix,
    settings.benchmarks,
    settings.loss_horizon_days_by_action_type,
    experience.action_types,
  ];
  let shared: ActionTypeModel | undefined;

  function modelOf(actionType: string): ActionTypeModel {
    const known = models.get(actionType);
    if (known !== undefined) return known;
    if (!tables.some((table) => Object.hasOwn(table, actionType))) {
      shared ??= actionTypeModel(settings, actionType);
      return shared;
    }
    const learned = ownValue(experience.action_types, actionType);
    const model = actionTypeModel(settings, actionType, experience.dispersion, learned);
    models.set(actionType, model);
    return model;
  }

  return {
    modelOf,
    estimate(facts, asOf, responseCost) {
      const model = modelOf(facts.actionType);
      return estimate(model, facts, asOf, responseCost ?? model.responseCost);
    },
  };
}
