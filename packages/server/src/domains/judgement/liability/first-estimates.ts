import type { FirstEstimates, FirstModel } from '../../record/hooks/index.js';
import { describeEstimate, toFigures } from './describe.js';
import { estimateDecision } from './estimate-decision.js';
import type { LiabilityModels } from './models.js';
import type { PayloadRisk } from './rules/risk.js';
import { insertEstimates, type NewEstimate } from './store/estimates.js';
import type { Model } from './stored-snapshot.js';

/** First estimates with the newest model of each ledger. */
export function firstEstimates(models: LiabilityModels): FirstEstimates {
  return { open: async (scope) => firstModel(await models.get(scope)), insert: insertEstimates };
}

export function firstModel(model: Model): FirstModel {
  return {
    read: model.risk.read,
    estimate: (decision: NewDecision, seq, timestamp, at) =>
      firstEstimate(model, decision, seq, timestamp, at),
    describe: ({ estimate }: NewEstimate) => describeEstimate(estimate),
  };
}

/** A decision that is being recorded. */
interface NewDecision {
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
function firstEstimate(
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
