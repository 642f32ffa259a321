import type { FeatureName } from '@decision-ledger/contract/attribution-signals';
import type { ComparedDecision, ComparedEvent, Frequencies } from './compared.js';
import type { Observation } from './observation.js';
import type { FeatureValues, Snapshot } from './snapshot.js';

/** The result for one candidate of an event. */
export interface Scored {
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** Hours from the decision to the event; for an event that is a day, to its possible middle. */
  readonly hours: number;
  /** Its share of the event, rounded down to six decimals; all shares and `none` sum to `left`. */
  readonly share: number;
  /** Probability that it is the cause if no other candidate existed. */
  readonly probability: number;
  readonly features: FeatureValues;
  /** Feature × weight: sums to the log-odds of the candidate against "no recorded decision". */
  readonly evidence: { readonly [Name in FeatureName]?: number };
  readonly label: 'matched' | 'guessed';
  readonly isSuggested: boolean;
}

export interface ScoredEvent {
  /** All candidates, greatest share first; equal shares in the order of the decisions given. */
  readonly candidates: readonly Scored[];
  /** The share of "no recorded decision". */
  readonly none: number;
  /** Stored with the score of the event, for learning. */
  readonly observation: Observation;
}

/**
 * Scores decisions against each other, and against "no recorded decision", as causes of an event.
 * @param decisions in the order of recording
 * @param left share of the event without a confirmed link, 0 to 1
 */
export function scoreEvent(
  _event: ComparedEvent,
  _decisions: readonly ComparedDecision[],
  _frequencies: Frequencies,
  _snapshot: Snapshot,
  _left: number,
): ScoredEvent {
  throw new Error('not implemented');
}
