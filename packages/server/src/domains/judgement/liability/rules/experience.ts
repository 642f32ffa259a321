/** Who looked at a decision: a reviewer is named, a human is only said to be there, or nobody. */
export type Oversight = 'none' | 'human_in_loop' | 'reviewer';

/** How decisions of one bin of confidence and one oversight came out. */
export interface Outcomes {
  /** 0 to 9: bin 7 holds confidences from 0.7 up to 0.8, bin 9 those up to 1. */
  readonly confidence_bin: number;
  readonly oversight: Oversight;
  /** Those that are old enough to tell, or cost money already. */
  readonly decisions: number;
  readonly losses: number;
}

export interface ActionTypeExperience {
  readonly outcomes: readonly Outcomes[];
  /** Losses ÷ amounts at risk: their sum and how many. */
  readonly severity: { readonly sum: number; readonly count: number };
  /** In the base currency; null where too few amounts are known. */
  readonly median_amount: number | null;
}

/** What a ledger has learned from its own decisions. Plain JSON: it is stored. */
export interface Experience {
  readonly action_types: { readonly [actionType: string]: ActionTypeExperience };
}
