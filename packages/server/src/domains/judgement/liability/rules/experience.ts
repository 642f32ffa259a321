/** Oversight of a decision: a named reviewer, a human in the loop, or none. */
export type Oversight = 'none' | 'human_in_loop' | 'reviewer';

/** Outcomes of the decisions of one confidence bin and one oversight. */
export interface Outcomes {
  /** 0 to 9: bin 7 contains confidences from 0.7 to below 0.8, bin 9 those up to 1. */
  readonly confidence_bin: number;
  readonly oversight: Oversight;
  /** Decisions that are mature or have cost money already. */
  readonly decisions: number;
  readonly losses: number;
}

export interface ActionTypeExperience {
  readonly outcomes: readonly Outcomes[];
  /** Losses ÷ amounts at risk: sum and count. */
  readonly severity: { readonly sum: number; readonly count: number };
  /** In the base currency; null if too few amounts are known. */
  readonly median_amount: number | null;
}

/** What a ledger has learned from its own decisions; stored as JSON. */
export interface Experience {
  readonly action_types: { readonly [actionType: string]: ActionTypeExperience };
}
