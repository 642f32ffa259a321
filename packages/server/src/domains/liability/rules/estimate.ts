import { confidenceFactor, humanFactor, type Oversight } from './controls.js';
import { adjustOdds, type Experience, lossRate, withFloor } from './frequency.js';
import { interval } from './interval.js';

/** All that an estimate depends on. Amounts are in the base currency. */
export interface Situation {
  readonly confidence: number;
  readonly oversight: Oversight;
  readonly experience: Experience;
  /** Loss rate of the benchmark, or of the matrix. */
  readonly benchmark: number;
  readonly amountAtRisk: number;
  /** Observed losses ÷ amounts at risk of the action type: their sum and how many. */
  readonly severities: { readonly sum: number; readonly count: number };
  readonly responseCost: number;
  /** Share of the loss horizon that is still open, 1 at creation. */
  readonly openShare: number;
  /** Net loss already realised on confirmed links; below zero for a gain. */
  readonly realised: number;
}

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
    readonly severity: number;
    readonly response_cost: number;
    readonly open_share: number;
    readonly realised: number;
  };
}

/** How many losses the assumption that a loss takes the whole amount is worth. */
const SEVERITY_CREDIBILITY = 20;

/** Frequency × magnitude (FAIR, the Open Group), plus what was lost already. */
export function estimate(situation: Situation): Estimate {
  const { benchmark, severities, openShare, responseCost, amountAtRisk, realised } = situation;
  const base = lossRate(situation.experience, benchmark);
  const forConfidence = confidenceFactor(situation.confidence);
  const forPeople = humanFactor(situation.oversight);
  const probability = withFloor(adjustOdds(base.rate, forConfidence * forPeople), benchmark);
  const severity =
    (SEVERITY_CREDIBILITY + severities.sum) / (SEVERITY_CREDIBILITY + severities.count);
  const expected = probability * (severity * amountAtRisk + responseCost) * openShare;
  const { low, high } = interval(expected, base);
  return {
    ...{ exposure: expected + realised, low: low + realised, high: high + realised },
    parts: {
      base_rate: base.rate,
      confidence_factor: forConfidence,
      human_factor: forPeople,
      loss_probability: probability,
      amount_at_risk: amountAtRisk,
      severity,
      response_cost: responseCost,
      open_share: openShare,
      realised,
    },
  };
}
