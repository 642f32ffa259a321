// Generated from the contract by scripts/client-types.js.

import type { FormatQuery, State } from './analytics-figures.js';
import type { RangeQuery } from './shared.js';

export interface QualityQuery extends RangeQuery, FormatQuery {}

export interface AuditInterval {
  /** Lower end of the 95 % interval. */
  readonly low: number;
  /** Upper end of the 95 % interval. */
  readonly high: number;
  /** What was audited: suggestions, or events with a recorded cause. */
  readonly units: number;
  /** How many units of equal weight would say as much. */
  readonly effective_units: number;
}

export interface Proportion extends AuditInterval {
  /** Weighted share. */
  readonly value: number;
}

export interface Calibration {
  /** Audited suggestions. */
  readonly suggestions: number;
  /** Weighted mean of the suggested shares. */
  readonly mean_share: number;
  /** Weighted share of suggestions that people found right. */
  readonly observed: number;
  /** Expected calibration error: weighted mean distance of the bins. */
  readonly ece: number;
  /** Mean of this error for a perfectly calibrated model and as many audits. */
  readonly ece_by_chance: number;
  /** Tenths of the share; empty ones are left out. */
  readonly bins: readonly (AuditInterval & {
    /** Least share of the bin. */
    readonly from: number;
    /** Upper end of the bin; the last one includes 1. */
    readonly to: number;
    /** Weighted mean of the suggested shares. */
    readonly mean_share: number;
    /** Weighted share of suggestions that people found right. */
    readonly observed: number;
  })[];
}

export interface AuditedPeriod {
  /** Events that were drawn. */
  readonly audits: number;
  /** Audits with an answer. */
  readonly answered: number;
  /** Audits that nobody could answer. */
  readonly skipped: number;
  /** Audits that wait for an answer. */
  readonly unanswered: number;
  /** Share of the events whose stratum has an answered audit; null without audits. */
  readonly represented: number | null;
  /** Why there are no figures: fewer than 30 answered audits. Null if there are. */
  readonly reason: 'too_few_answers' | null;
  readonly precision: {
    /** Of the events with a match: those whose cause is a step of it. Null with a `reason`, or if no audit has any. */
    readonly matched: Proportion | null;
    /** Of all suggestions: those that are right. Null with a `reason`, or if no audit has any. */
    readonly suggested: Proportion | null;
  };
  readonly recall: {
    /** Of the recorded causes: those that are steps of a match. Null with a `reason`, or if no audit has any. */
    readonly matched: Proportion | null;
    /** Of the recorded causes: those with any suggestion. Null with a `reason`, or if no audit has any. */
    readonly suggested: Proportion | null;
  };
  /** Shares against answers. Null like a precision. */
  readonly calibration: Calibration | null;
}

export interface AttributionQuality extends AuditedPeriod, State {
  readonly label: {
    /** withdrawn: all suggestions are `guessed`. */
    readonly state: 'given' | 'withdrawn';
    /** When it was withdrawn or restored last; null if never. */
    readonly changed_at: string | null;
    /** What the lower end of the precision must reach. */
    readonly least_precision: number;
    /** First day of the audits that decide: YYYY-MM-DD. */
    readonly audits_since: string;
    /** Answered audits since then. */
    readonly answered: number;
    /** Precision of `matched` in these audits. Null with a `reason`, or if no audit has any. */
    readonly precision: Proportion | null;
  };
  /** Oldest first. */
  readonly by_month: readonly (AuditedPeriod & {
    /** Month in which the events were recorded, UTC, as YYYY-MM. */
    readonly month: string;
    /** Against the three months before. */
    readonly drift: readonly {
      /** identifier_coverage: whether an event shares an identifier with a decision. lag: hours from the best suggestion to the event. share: the greatest share of an event. */
      readonly metric: 'identifier_coverage' | 'lag' | 'share';
      /** Population stability index; null with too few events. */
      readonly index: number | null;
      /** moved: above 0.1. drifted: above 0.25. too_few_events: fewer than 200 in the month or before. */
      readonly state: 'stable' | 'moved' | 'drifted' | 'too_few_events';
      /** Scored events of the month. */
      readonly events: number;
      /** Scored events of the three months before. */
      readonly reference_events: number;
      /** Share of each bin in the month. */
      readonly shares: readonly number[];
      /** The same of the months before. */
      readonly reference_shares: readonly number[];
    }[];
  })[];
}

export interface AttributionModelQuery {
  /** The number that a score names. Default: the newest. */
  readonly model?: number;
}

export interface AttributionModel {
  /** Its number in this ledger. */
  readonly model: number;
  readonly version: string;
  /** SHA-256 of the snapshot, as in the record attribution.model_changed: hexadecimal. */
  readonly sha256: string;
  /** The weight of each feature: feature × weight is the evidence of a score. */
  readonly weights: {
    readonly [name: string]: number;
  };
  /** All that was learned, as it is stored: canonical JSON (RFC 8785). */
  readonly snapshot: string;
}
