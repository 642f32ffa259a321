import type { Big } from 'big.js';
import type { Estimate, Facts } from './rules/estimator.js';
import type { Risk, StatedAmount } from './rules/risk.js';
import type { Model } from './stored-snapshot.js';

/** The facts of a decision that its estimate depends on. */
export interface Subject {
  readonly actionType: string;
  readonly confidence: number;
  readonly oversight: Risk['oversight'];
  /** ms. */
  readonly timestamp: number;
  readonly stated: StatedAmount | null;
}

/** The money of a decision's links, in the base currency. */
export interface LinkedMoney {
  /** Sum of the shares of all links that are not deleted. */
  readonly linked: Big;
  /** Net loss on confirmed links. */
  readonly lost: Big;
  /** Number of amounts that no rate converts. */
  readonly unconverted: number;
}

export interface Estimated {
  readonly estimate: Estimate;
  /** Cost of a loss × the share of the horizon that is left. */
  readonly stake: number;
  readonly unconverted: number;
}

/**
 * Estimates a decision.
 * @param money null if the decision has no links
 * @param asOf ms
 */
export function estimateDecision(
  model: Model,
  subject: Subject,
  money: LinkedMoney | null,
  asOf: number,
): Estimated {
  const { stated } = subject;
  const own =
    stated === null ? null : model.convert(stated.amount, stated.currency, subject.timestamp);
  const facts: Facts = {
    actionType: subject.actionType,
    confidence: subject.confidence,
    oversight: subject.oversight,
    timestamp: subject.timestamp,
    stated: own === null ? null : own.toNumber(),
    linked: money === null ? null : money.linked.toNumber(),
    realised: money === null ? 0 : Math.max(0, money.lost.toNumber()),
  };
  const estimate = model.estimate(facts, asOf);
  const { severity, amount_at_risk, response_cost, open_share } = estimate.parts;
  const isUnreadable = stated !== null && own === null;
  return {
    estimate,
    stake: (severity * amount_at_risk + response_cost) * open_share,
    unconverted: (money?.unconverted ?? 0) + (isUnreadable ? 1 : 0),
  };
}
