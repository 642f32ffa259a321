// Generated from the contract by scripts/client-types.js.

import type { LiabilitySettings } from './settings-forms.js';
import type { Timestamp } from './shared.js';

export interface RatioTest {
  readonly statistic: number;
  readonly p_value: number;
}

export interface LiabilityBacktest {
  /** Oldest first. */
  readonly months: readonly {
    /** UTC, as YYYY-MM. */
    readonly month: string;
    readonly made_at: Timestamp;
    readonly version: string;
    readonly currency: string;
    readonly basis: 'prior' | 'experience';
    /** Decisions of the month at the time of the forecast. */
    readonly decisions: number;
    readonly expected: string;
    readonly low90: string;
    readonly high90: string;
    readonly var95: string;
    readonly es95: string;
    /** Losses of the decisions of the month to date; null if estimates are no longer in the currency of the forecast. */
    readonly realised: string | null;
    /** `open`: losses may still become known. `changed`: decisions were added to the month later, or the base currency changed, so that the two cannot be compared. */
    readonly status: 'open' | 'compared' | 'changed';
    /** Whether the losses exceeded var95; null unless compared. */
    readonly is_exception: boolean | null;
  }[];
  /** Months that were compared. */
  readonly periods: number;
  /** Compared months whose losses exceeded var95. */
  readonly exceptions: number;
  /** Share of compared months whose losses lay within low90 and high90. */
  readonly coverage: number | null;
  /** A likelihood-ratio test with one degree of freedom. Null for fewer than 24 months. */
  readonly kupiec: RatioTest | null;
  /** A likelihood-ratio test with one degree of freedom. Null for fewer than 24 months. */
  readonly christoffersen: RatioTest | null;
  readonly verdict: 'consistent' | 'too_low' | 'too_high' | 'clustered' | 'too_few_periods';
  /** When outcomes were last counted: the nightly run. Null before the first one and while one counts them. */
  readonly learned_at: string | null;
  /** Stated confidence against outcomes; most decisions first, at most 100. */
  readonly agents: readonly {
    readonly agent_id: string;
    /** Resolved decisions; recent ones count in part. */
    readonly decisions: number;
    /** Of these, the decisions that cost money, as of `learned_at`. */
    readonly losses: number;
    /** Decisions of the agent with a net loss on confirmed links now. Beyond `losses`: those confirmed since `learned_at`, and those of denied decisions, which no rate counts. */
    readonly confirmed_losses: number;
    /** Losses that the stated confidence implies. */
    readonly stated_losses: number;
    /** Losses that the model expects of these decisions. */
    readonly expected_losses: number;
    /** Mean of (confidence − outcome)²; 0 is best. */
    readonly brier: number;
    readonly bins: readonly {
      /** Tenth of the stated confidence: 9 is 0.9 to 1. */
      readonly bin: number;
      readonly decisions: number;
      readonly losses: number;
      readonly mean_confidence: number;
      readonly observed_success: number;
      readonly expected_loss_rate: number;
    }[];
  }[];
}

export interface LiabilityModelQuery {
  /** The action type whose figures are returned. */
  readonly action_type: string;
  /** Default: the newest. */
  readonly snapshot?: number;
}

export interface LiabilityModelFigures {
  readonly snapshot: number;
  readonly version: string;
  readonly currency: string;
  readonly settings: LiabilitySettings;
  /** What the profiles of sources say of units in payloads. */
  readonly payload_units: readonly {
    /** Only in objects with this member, and in all that lies in them. */
    readonly when?: {
      /** A member of the object. */
      readonly member: string;
      /** Any one of them. Without them: any value. */
      readonly values?: readonly string[];
    };
    /** Any one of them. `*` is every key. */
    readonly keys: readonly string[];
    /** minor: in cents, or what the currency has instead. major: as written. */
    readonly unit: 'minor' | 'major';
  }[];
  readonly action_type: string;
  /** Relative variance of loss rates between agents, and between versions. */
  readonly spread: {
    readonly agents: number;
    readonly versions: number;
  };
  readonly rate: {
    readonly alpha: number;
    readonly beta: number;
  };
  /** The rate against which factors are learned. */
  readonly usual_rate: number;
  readonly human_factors: {
    readonly none: number;
    readonly human_in_loop: number;
    readonly reviewer: number;
  };
  readonly severity: {
    readonly count: number;
    /** Of losses ÷ amounts at risk. */
    readonly sum: number;
    readonly squares: number;
    readonly mean: number;
    readonly spread: number;
    readonly uncertainty: number;
  };
  readonly usual_amount: number;
  /** The largest approved amount; ten times as much is an outlier. Null: too few are known. */
  readonly largest_amount: number | null;
  /** Outcomes of decisions that state an amount, by its size. */
  readonly sizes: readonly {
    /** 3 contains amounts from 4³ to below 4⁴. */
    readonly band: number;
    readonly decisions: number;
    readonly losses: number;
    /** Losses at the rates of the versions that decided. */
    readonly expected: number;
  }[];
  readonly variants: readonly {
    /** Empty: agents that are not kept one by one. */
    readonly agent_id: string;
    /** A hash of the version; empty if none is stated. */
    readonly variant: string;
    readonly outcomes: readonly {
      readonly confidence_bin: number;
      readonly oversight: 'none' | 'human_in_loop' | 'reviewer';
      /** Resolved decisions; recent ones count in part. */
      readonly decisions: number;
      readonly losses: number;
      /** Sum of the stated confidence. */
      readonly confidence: number;
      readonly confidence_squares: number;
      /** Sum of the confidence of losses. */
      readonly confidence_lost: number;
    }[];
    /** Mean effect of the amounts of its decisions on the odds of a loss. */
    readonly size_factor: number;
    readonly usual: {
      readonly decisions: number;
      readonly losses: number;
    };
    /** Posterior mean at a confidence and oversight of factor 1. */
    readonly rate: number;
  }[];
}
