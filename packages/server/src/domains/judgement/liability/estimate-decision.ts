import type { Estimate, Facts } from '@decision-ledger/liability/estimator';
import type { Risk } from '@decision-ledger/liability/risk';
import type { Big } from 'big.js';
import type { EstimationModel } from './stored-snapshot.js';

/** The facts of a decision that its estimate depends on. */
export interface EstimateSubject extends Risk {
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  /** ms. */
  readonly timestamp: number;
}

/** The money of a decision's links, in the base currency. */
export interface LinkedMoney {
  /** Sum of the shares of all links that are not deleted. */
  readonly linked: Big;
  /** Net loss on confirmed links. */
  readonly lost: Big;
  /** Number of amounts that no rate converts. */
  readonly unconverted: number;
  /** Whether an amount is in another currency. */
  readonly isConverted: boolean;
}

export interface Estimated {
  /** In `currency`. */
  readonly estimate: Estimate;
  /** That of a stated amount that no rate converts; else null, for the base currency. */
  readonly ownCurrency: string | null;
  /** Net loss on confirmed links, in the base currency. */
  readonly realised: number;
  readonly unconverted: number;
}

/**
 * Estimates a decision. A stated amount that no rate converts is estimated in its own currency, without the
 * response cost and the losses, which are in the base currency.
 * @param money null if the decision has no links
 * @param asOf ms
 */
export function estimateDecision(
  { convert, currency, estimator }: EstimationModel,
  subject: EstimateSubject,
  money: LinkedMoney | null,
  asOf: number,
): Estimated {
  const { stated, isDenied } = subject;
  const converted =
    stated === null ? null : convert(stated.amount, stated.currency, subject.timestamp);
  const ownCurrency = stated !== null && converted === null && !isDenied ? stated.currency : null;
  const isOwn = ownCurrency !== null && ownCurrency !== currency;
  const realised = money === null ? 0 : Math.max(0, money.lost.toNumber());
  const facts: Facts = {
    actionType: subject.actionType,
    agentId: subject.agentId,
    variant: subject.variant,
    confidence: subject.confidence,
    oversight: subject.oversight,
    timestamp: subject.timestamp,
    stated: isOwn && stated !== null ? Number(stated.amount) : (converted?.toNumber() ?? null),
    isDenied,
    linked: money === null ? null : money.linked.toNumber(),
    realised: isOwn ? 0 : realised,
  };
  const model = estimator.modelOf(subject.actionType);
  return {
    estimate: estimator.estimate(facts, asOf, isOwn ? 0 : model.responseCost),
    ownCurrency: isOwn ? ownCurrency : null,
    realised,
    unconverted: (money?.unconverted ?? 0) + (isOwn ? 1 : 0),
  };
}
