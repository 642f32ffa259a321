import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Liability } from '@decision-ledger/contract/liability';
import type { Scope } from '../../../platform/principal.js';

/** First estimates of decisions. They are stored later, and follow from what is recorded. */
export interface FirstEstimates {
  /** The current model of a ledger. */
  open(scope: Scope): Promise<FirstModel>;
}

/** What first estimates are made with. */
export interface FirstModel {
  /** The snapshot that is recorded beside each decision, so that its estimate can be made at any time. */
  readonly snapshot: number;
  /** The first estimate of a decision, as it will be stored. */
  estimate(body: DecisionBody, times: DecisionTimes): Liability;
}

/** ms. */
export interface DecisionTimes {
  readonly timestamp: number;
  readonly createdAt: number;
}
