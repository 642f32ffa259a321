/** Oversight of a decision: a named reviewer, a human in the loop, or none. */
export type Oversight = 'none' | 'human_in_loop' | 'reviewer';

/** Outcomes of the decisions of one confidence bin and one oversight. */
export interface Outcomes {
  /** 0 to 9: bin 7 contains confidences from 0.7 to below 0.8, bin 9 those up to 1. */
  readonly confidence_bin: number;
  readonly oversight: Oversight;
  /** Resolved decisions: those that cost money count 1, others the share of their maturity passed. */
  readonly decisions: number;
  readonly losses: number;
  /** Sums of the stated confidence and of its square over resolved decisions, and over losses alone. */
  readonly confidence: number;
  readonly confidence_squares: number;
  readonly confidence_lost: number;
}

/** Outcomes of one version of an agent. */
export interface VariantOutcomes {
  readonly agent_id: string;
  /** A hash of the version; empty if none is stated. */
  readonly variant: string;
  /** Mean effect of the amounts of its decisions on the odds of a loss. */
  readonly size_factor: number;
  readonly outcomes: readonly Outcomes[];
}

/** Outcomes of decisions that state an amount of about one size. */
export interface SizeOutcomes {
  /** 3 contains amounts from 4³ to below 4⁴, in the base currency. */
  readonly band: number;
  readonly decisions: number;
  readonly losses: number;
  /** Losses at the rates of the versions that decided. */
  readonly expected: number;
}

/** Losses ÷ amounts at risk: count, sum and sum of squares. */
export interface SeverityTally {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

export interface ActionTypeExperience {
  readonly variants: readonly VariantOutcomes[];
  /** By band. */
  readonly sizes: readonly SizeOutcomes[];
  readonly severity: SeverityTally;
  /** In the base currency; null if too few amounts are known. */
  readonly median_amount: number | null;
  /** The largest approved one that is no outlier itself; null if too few are known. */
  readonly largest_amount: number | null;
}

/** How much loss rates differ: weights of the values of `SPREADS`, summing to 1. */
export interface Dispersion {
  /** Between the agents of an action type. */
  readonly agents: readonly number[];
  /** Between the versions of an agent. */
  readonly versions: readonly number[];
}

/** What a ledger has learned from its own decisions; stored as JSON. */
export interface Experience {
  readonly action_types: { readonly [actionType: string]: ActionTypeExperience };
  /** Null before anything was learned. */
  readonly dispersion: Dispersion | null;
}
