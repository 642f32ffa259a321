import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { toFigures } from './describe.js';
import { estimateDecision } from './estimate-decision.js';
import type { PayloadRisk } from './rules/risk.js';
import { insertEstimates, type NewEstimate } from './store/estimates.js';
import type { Model } from './stored-snapshot.js';

/** A decision that is being recorded. */
export interface NewDecision {
  /** UUID. */
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  readonly risk: PayloadRisk;
}

/**
 * The first estimate of a decision. Each member of the objects is named: on this path, spreading costs
 * more than the estimate.
 * @param seq of the decision
 * @param timestamp of the decision, ms
 * @param at ms, when it is recorded
 */
export function firstEstimate(
  model: Model,
  decision: NewDecision,
  seq: number,
  timestamp: number,
  at: number,
): NewEstimate {
  const { decisionId, agentId, actionType, risk } = decision;
  const { oversight, stated, isDenied, variant, reading } = risk;
  const confidence = risk.weighedConfidence ?? decision.confidence;
  const subject = {
    agentId,
    actionType,
    confidence,
    timestamp,
    oversight,
    stated,
    isDenied,
    variant,
    reading,
  };
  const { stake, events, sizes, estimate } = toFigures(
    model,
    estimateDecision(model, subject, null, at),
    0,
    at,
  );
  return {
    seq,
    decisionId,
    agentId,
    actionType,
    timestamp,
    confidence,
    oversight,
    stated,
    isDenied,
    variant,
    reading,
    snapshotId: model.snapshotId,
    stake,
    events,
    sizes,
    estimate,
  };
}

/** Inserts first estimates in the transaction that records their decisions. */
export function recordFirstEstimates(
  tx: Queryable,
  scope: Scope,
  estimates: readonly NewEstimate[],
): Promise<void> {
  return insertEstimates(tx, scope, estimates);
}
