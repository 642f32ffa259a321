import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { toRow } from './describe.js';
import { estimateDecision } from './estimate-decision.js';
import type { Risk } from './rules/risk.js';
import { insertEstimates, type NewEstimate } from './store/insert-estimates.js';
import type { Model } from './stored-snapshot.js';

/** A decision that is being recorded. */
export interface NewDecision {
  readonly seq: number;
  /** UUID. */
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  /** ms. */
  readonly timestamp: number;
  readonly risk: Risk;
}

/** @param at ms, when they are recorded */
export function firstEstimate(model: Model, decision: NewDecision, at: number): NewEstimate {
  const { actionType, confidence, timestamp, risk } = decision;
  const { oversight, stated } = risk;
  const subject = { actionType, confidence, oversight, timestamp, stated };
  const estimated = estimateDecision(model, subject, null, at);
  const { seq, decisionId, agentId } = decision;
  return {
    ...{ seq, decisionId, agentId, ...subject },
    ...{ snapshotId: model.snapshotId, stake: estimated.stake },
    estimate: toRow(model, estimated, 0, at),
  };
}

/** Writes first estimates, in the transaction that records their decisions. */
export function recordFirstEstimates(
  tx: Queryable,
  scope: Scope,
  estimates: readonly NewEstimate[],
): Promise<void> {
  return insertEstimates(tx, scope, estimates);
}
