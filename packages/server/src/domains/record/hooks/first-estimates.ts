import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Liability } from '@decision-ledger/contract/liability';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/scope.js';

/** First estimates of decisions, stored by the transaction that records them. */
export interface FirstEstimates {
  /** The current model of a ledger. */
  open(scope: Scope): Promise<FirstModel>;
  insert(tx: LedgerWriter, estimates: readonly FirstEstimate[]): Promise<void>;
}

/** What first estimates are made with. The decisions of a group may have been read with an earlier model. */
export interface FirstModel {
  /** Reads what a decision states about its risk, before it has a place in the chain. */
  read(body: DecisionBody): StatedRisk;
  /**
   * @param seq of the decision
   * @param timestamp of the decision, ms
   * @param at ms, when it is recorded
   */
  estimate(decision: NewDecision, seq: number, timestamp: number, at: number): FirstEstimate;
  describe(first: FirstEstimate): Liability;
}

/** What a payload states about the risk of its decision. The record only hands it on. */
export interface StatedRisk {
  /** Identifies the settings that this was read with. */
  readonly reading: number;
}

/** A decision that is being recorded. */
export interface NewDecision {
  /** UUID. */
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  readonly risk: StatedRisk;
}

/** A first estimate. The record only hands it on. */
export interface FirstEstimate {
  readonly seq: number;
}
