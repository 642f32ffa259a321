import type { KindValue } from './event-kind.js';

/**
 * What one scored event teaches without a person: plain JSON, stored with the score of the event.
 * Record linkage estimates its parameters from such unlabelled pairs (Fellegi and Sunter, 1969).
 */
export interface Observation {
  readonly event_type: string;
  /** Identifier keys of the event: hash of the key, number of candidates that match, hash of the value. */
  readonly keys: readonly (readonly [key: number, holders: number, value: number])[];
  /** The only candidate with a rare identifier of the event; null if there is none or several. */
  readonly identified: Identified | null;
  /** Whether a decision that shares an identifier states the amount; absent if none states any. */
  readonly amount?: 'equal' | 'other';
  /** The likeliest candidates: how well their delay and amount fit, whatever they share. */
  readonly options?: readonly ObservedOption[];
  /**
   * What the identifiers that it shares with decisions add to the log-odds of a cause before all that; null if
   * it shares none.
   */
  readonly sharing?: number | null;
  /** 1 if it names the transaction of one decision, 0 if it names none. */
  readonly transaction?: number;
  /** What may say of which kind it is. */
  readonly kinds?: readonly KindValue[];
}

/**
 * A candidate: its action type, the natural logarithm of the delay in hours, the log of how much its other
 * evidence speaks for a cause (apart from delay, action and the level of "none"), whether it states the
 * amount of the event, another one, or none, and the part of the evidence that is due to an equal amount.
 */
export type ObservedOption = readonly [
  actionType: string,
  logHours: number,
  evidence: number,
  amount: 'equal' | 'other' | 'none',
  amountEvidence: number,
];

export interface Identified {
  /** UUID. */
  readonly decision_id: string;
  readonly action_type: string;
  /** Natural logarithm of the delay in hours. */
  readonly log_hours: number;
  /** Whether the decision states the amount of the event, another one, or none; or was chosen for it. */
  readonly amount: 'equal' | 'other' | 'none' | 'chosen';
  /** Whether it was distinguished from other holders, or only from decisions nearby. */
  readonly contrast: 'holders' | 'nearby';
  /** The action types of those others and of itself, with how many candidates have each. */
  readonly among: readonly (readonly [action_type: string, candidates: number])[];
}
