// Generated from the contract by scripts/client-types.js.

import type { CurrencyAmount, FormatQuery, Money } from './analytics-figures.js';
import type { RatioTest } from './liability-model.js';
import type { Page, PageQuery, Timestamp } from './shared.js';

export interface Estimate {
  /** Decimal, in the base currency, for each decision, with six digits after the point. */
  readonly value: string;
  /** Decimal, in the base currency, for each decision, with six digits after the point. */
  readonly low: string;
  /** Decimal, in the base currency, for each decision, with six digits after the point. */
  readonly high: string;
}

export interface ExperimentListQuery extends PageQuery, FormatQuery {}

export interface ExperimentPage extends Page {
  /** By identifier. */
  readonly experiments: readonly {
    readonly experiment_id: string;
    /** Assigned decisions. */
    readonly decisions: number;
    /** Decisions that name the experiment in a mark that is not valid. */
    readonly ignored: number;
    readonly first_at: Timestamp;
    readonly last_at: Timestamp;
    /** Number of arms. */
    readonly arm_count: number;
    /** By name, at most 20. */
    readonly arms: readonly {
      readonly arm: string;
      /** Decisions assigned to the arm. */
      readonly decisions: number;
    }[];
  }[];
  /** Decisions with a member `experiment` that names no experiment. */
  readonly unreadable: number;
}

export interface ExperimentQuery extends FormatQuery {
  /** Days after a decision in which its money counts. A decision counts once they have passed. Default: 30. */
  readonly horizon_days?: number;
  /** Decisions count whose horizon has passed at this time. Default: the last full hour. Not in the future. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly as_of?: string;
  /** The arm that the others are compared with. Default: control. */
  readonly comparison?: string;
  /** The links whose money counts. Default: confirmed,matched. Separated by commas: confirmed, matched, guessed. */
  readonly labels?: string;
  /** What the differences are adjusted for, known before the first assignment of a customer. Default: prior_net,prior_decisions. Separated by commas: prior_net, prior_decisions, none. */
  readonly covariates?: string;
  /** Days before the first assignment that the covariates cover. Default: 90. */
  readonly history_days?: number;
  /** The member of `metadata` that names the customer. Default: `analytics.customer_key` of the settings. */
  readonly customer_key?: string;
  /** Whether links of the type `saving` count. They are claims, not payments. Default: include. */
  readonly savings?: 'include' | 'exclude';
}

export interface ExperimentAnalysis {
  readonly experiment_id: string;
  readonly status: 'comparable' | 'not_comparable';
  /** Why the arms are not compared; empty if they are. */
  readonly reasons: readonly {
    readonly code:
      | 'too_many_assignments'
      | 'too_many_arms'
      | 'no_comparison_arm'
      | 'single_arm'
      | 'too_few_decisions'
      | 'too_few_customers'
      | 'too_little_money'
      | 'propensities_missing'
      | 'propensities_inconsistent'
      | 'too_many_ignored'
      | 'sample_ratio'
      | 'assignment_imbalance'
      | 'unequal_links';
    readonly message: string;
  }[];
  readonly warnings: readonly {
    readonly code:
      | 'sample_ratio'
      | 'assignment_imbalance'
      | 'unequal_links'
      | 'assignments_ignored'
      | 'amounts_unconverted'
      | 'few_paying_customers'
      | 'savings_in_one_arm';
    readonly message: string;
  }[];
  readonly as_of: Timestamp;
  readonly horizon_days: number;
  readonly labels: readonly ('confirmed' | 'matched' | 'guessed')[];
  readonly customer_key: string;
  readonly comparison: string;
  /** The base currency of the settings. */
  readonly currency: string;
  /** aipw: weighted by propensities and adjusted for the covariates. hajek: weighted only. Null if the arms are not compared. */
  readonly estimator: 'aipw' | 'hajek' | null;
  /** Those that were used; empty if none varies or an arm has too few customers. */
  readonly covariates: readonly ('prior_net' | 'prior_decisions')[];
  /** Assigned decisions. */
  readonly decisions: number;
  /** Those whose horizon has passed: only they count. */
  readonly matured: number;
  /** Decisions that name the experiment in a mark that is not valid. */
  readonly ignored: number;
  /** Matured decisions without a customer; each counts as one of its own. */
  readonly without_customer: number;
  /** By name. */
  readonly arms: readonly {
    readonly arm: string;
    /** Matured decisions. */
    readonly decisions: number;
    /** Customers with a matured decision. */
    readonly customers: number;
    /** Customers whose matured decisions moved money. */
    readonly paying_customers: number;
    /** Sum of the money within the horizon: decimal, to the minor unit. */
    readonly net: string;
    /** The part of all links of the type `saving` within the horizon, whether or not they count: claims, not measured. */
    readonly claimed_savings: string;
    /** Estimated mean money of a decision if all were in this arm; null if not compared. */
    readonly mean: Estimate | null;
  }[];
  /** Each other arm less the comparison arm, by name, with its 95 % interval. */
  readonly differences: readonly (Estimate & {
    readonly arm: string;
    /** Decimal, in the base currency, for each decision, with six digits after the point. */
    readonly standard_error: string;
    readonly degrees_of_freedom: number;
    /** The difference that an experiment of this precision finds in 80 % of cases at the level of 5 %: decimal, six digits. */
    readonly minimum_detectable: string;
    readonly without_covariates: Estimate;
    /** The difference × the matured decisions of the arm: what they moved beyond the comparison. A memo item: no other figure includes it. */
    readonly measured: {
      readonly net: Money;
      readonly low: Money;
      readonly high: Money;
    };
  })[];
  readonly sample_ratio:
    | (RatioTest & {
        readonly degrees_of_freedom: number;
        /** Whether the p value is under 0.001. */
        readonly is_suspicious: boolean;
      })
    | null;
  /** Money within the horizon that no rate converts; excluded from all figures. */
  readonly unconverted: readonly (CurrencyAmount & {
    readonly arm: string;
  })[];
}
