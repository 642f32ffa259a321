import type { AttributionSettings } from '@decision-ledger/contract/attribution';
import type { FeatureName } from '@decision-ledger/contract/attribution-signals';
import type { KindValue } from './event-kinds.js';

/**
 * What one scored event teaches without a person: plain JSON, stored with the score of the event.
 * Record linkage estimates its parameters from such unlabelled pairs (Fellegi and Sunter, 1969).
 */
export interface EventObservation {
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
  /** The agent of the only decision that names its transaction, and how many minutes before the event it is dated. */
  readonly clock?: readonly [agent_id: string, minutes: number];
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

export const ATTRIBUTION_VERSION = 'attribution/v1';

/** The value of each feature; a missing one is 0. */
export type FeatureValues = { readonly [Name in FeatureName]?: number };

/** What is known of one action type and event type. */
export interface PairKnowledge {
  readonly action_type: string;
  readonly event_type: string;
  /** Log of how much more often than by chance the action type is the cause. */
  readonly compatibility: number;
  readonly lags: LagKnowledge;
}

/** Delays: of the natural logarithm of the hours, with the number of delays behind them. */
export interface LagKnowledge {
  readonly mean: number;
  readonly sd: number;
  readonly count: number;
}

/** What is known of an event type, whatever the action. */
export interface EventKnowledge {
  readonly event_type: string;
  /** Log of how much more often than expected its events have a recorded cause, if a decision shares an identifier. */
  readonly log_odds: number;
  /** The same if none does. */
  readonly log_odds_apart: number;
  /** Probability that no event of the type has a recorded cause, whatever its customers have to do with agents. */
  readonly causeless: number;
  /** Its kinds, by their value under a key of the metadata; null if it is of one kind. */
  readonly kind: {
    /** Hash of the key. */
    readonly key: number;
    readonly values: readonly KindKnowledge[];
  } | null;
  readonly lags: LagKnowledge;
}

/** What is known of one kind of an event type, in place of what is known of the type. */
export interface KindKnowledge {
  /** Hash of the value. */
  readonly value: number;
  readonly log_odds: number;
  readonly log_odds_apart: number;
  readonly causeless: number;
}

export interface AgentKnowledge {
  readonly agent_id: string;
  readonly action_type: string;
  readonly event_type: string;
  /** Log of how much more often than its action type the agent is the cause. */
  readonly log_odds: number;
}

/** A clock that is not that of the agent. */
export interface ClockKnowledge {
  readonly agent_id: string;
  readonly event_type: string;
  /** What to add to a time of the agent for a time of the event: whole quarters of an hour. */
  readonly minutes: number;
}

/** What identifiers under one key look like. */
export interface KeyKnowledge {
  /** Hash of the key. */
  readonly key: number;
  /** Mean of the natural logarithm of how many decisions hold a value, where any does. */
  readonly log_holders: number;
  /** Events that state the key, and those of them where some decision holds the value. */
  readonly events: number;
  readonly matched: number;
  /** Log of how many events state a value. */
  readonly log_events: number;
}

/** Shares of the causes of a type of events. */
export interface AmountKnowledge {
  readonly event_type: string;
  /** Of those that state money: that do not state the money of the event. */
  readonly other: number;
  /** Of all: that state none. */
  readonly none: number;
}

/** A model: plain JSON, from which with the stored features every score can be computed again. */
export interface ModelSnapshot {
  readonly version: typeof ATTRIBUTION_VERSION;
  /** Days since the epoch, UTC. */
  readonly as_of_day: number;
  readonly weights: { readonly [Name in FeatureName]: number };
  /** Probability that the cause is unrecorded although a related decision is recorded. */
  readonly unrecorded: number;
  readonly pairs: readonly PairKnowledge[];
  readonly events: readonly EventKnowledge[];
  /** The delays of all pairs. */
  readonly lags: LagKnowledge;
  readonly agents: readonly AgentKnowledge[];
  readonly clocks: readonly ClockKnowledge[];
  readonly keys: readonly KeyKnowledge[];
  readonly amounts: readonly AmountKnowledge[];
  readonly settings: AttributionSettings;
  readonly learned_from: {
    readonly reviews: number;
    readonly manual: number;
    readonly audits: number;
    readonly identified: number;
  };
}

/** The candidates of an event at the time when a person judged it. */
export interface ReviewedChoice {
  /** A manual link is one for which nobody was asked: it says nothing of "none". */
  readonly kind: 'review' | 'manual' | 'audit';
  readonly event_type: string;
  /** What may say of which kind the event is. */
  readonly kinds?: readonly KindValue[];
  /** Days since the epoch, UTC. */
  readonly day: number;
  /** 1; for an audit, the inverse of the probability with which it was drawn. */
  readonly weight: number;
  readonly candidates: readonly ReviewedCandidate[];
  /** What the person said of "no recorded decision". */
  readonly none: 'cause' | 'not_cause' | 'unknown';
}

export interface ReviewedCandidate {
  readonly features: FeatureValues;
  readonly agent_id: string;
  readonly action_type: string;
  /** Hours from the decision to the event. */
  readonly hours: number;
  readonly verdict: 'cause' | 'not_cause' | 'unknown';
}

export interface LearningInput {
  readonly settings: AttributionSettings;
  readonly choices: readonly ReviewedChoice[];
  /** Of the latest scored events; a few thousand are enough. */
  readonly observations: readonly EventObservation[];
  /** Days since the epoch, UTC. */
  readonly today: number;
}
