// Generated from the contract by scripts/client-types.js.

export interface LiabilityBacktest {
  /** Oldest first. */
  readonly months: readonly {
    /** UTC, as YYYY-MM. */
    readonly month: string;
    /** RFC 3339 date-time. Answers are UTC with milliseconds. */
    readonly made_at: string;
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
    /** Losses of the decisions of the month to date. */
    readonly realised: string;
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
  readonly kupiec: {
    readonly statistic: number;
    readonly p_value: number;
  } | null;
  /** A likelihood-ratio test with one degree of freedom. Null for fewer than 24 months. */
  readonly christoffersen: {
    readonly statistic: number;
    readonly p_value: number;
  } | null;
  readonly verdict: 'consistent' | 'too_low' | 'too_high' | 'clustered' | 'too_few_periods';
  /** Stated confidence against outcomes; most decisions first, at most 100. */
  readonly agents: readonly {
    readonly agent_id: string;
    /** Resolved decisions; recent ones count in part. */
    readonly decisions: number;
    readonly losses: number;
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
  readonly settings: {
    /** Risk matrix: likelihood and severity of each action type. */
    readonly matrix: {
      readonly [name: string]: {
        /** How likely a loss is. */
        readonly likelihood: 'rare' | 'unlikely' | 'possible' | 'likely' | 'near_certain';
        /** How much is at risk. */
        readonly severity: 'minor' | 'moderate' | 'serious' | 'major' | 'critical';
      };
    };
    readonly default_cell: {
      /** Likelihood for action types that are not in the matrix. */
      readonly likelihood: 'rare' | 'unlikely' | 'possible' | 'likely' | 'near_certain';
      /** Severity for action types that are not in the matrix. */
      readonly severity: 'minor' | 'moderate' | 'serious' | 'major' | 'critical';
    };
    readonly likelihoods: {
      /** Probability of a loss rated rare. */
      readonly rare: number;
      /** Probability of a loss rated unlikely. */
      readonly unlikely: number;
      /** Probability of a loss rated possible. */
      readonly possible: number;
      /** Probability of a loss rated likely. */
      readonly likely: number;
      /** Probability of a loss rated near certain. */
      readonly near_certain: number;
    };
    readonly severities: {
      /** Amount at risk of a loss rated minor, in the base currency. A decimal of 0 or more. */
      readonly minor: string;
      /** Amount at risk of a loss rated moderate, in the base currency. A decimal of 0 or more. */
      readonly moderate: string;
      /** Amount at risk of a loss rated serious, in the base currency. A decimal of 0 or more. */
      readonly serious: string;
      /** Amount at risk of a loss rated major, in the base currency. A decimal of 0 or more. */
      readonly major: string;
      /** Amount at risk of a loss rated critical, in the base currency. A decimal of 0 or more. */
      readonly critical: string;
    };
    /** External loss rates. They take precedence over the likelihood of the matrix. */
    readonly benchmarks: {
      readonly [name: string]: {
        /** Share of decisions that cause a loss. */
        readonly loss_rate: number;
        /** Source of the rate. */
        readonly source: string;
        /** Date of the rate, at most a year in the future. As YYYY-MM-DD. */
        readonly as_of: string;
      };
    };
    /** Where decisions state the amount at risk, first match first. A path to an object searches it for keys that mean money. */
    readonly amount_paths: readonly string[];
    /** Paths of amounts in minor units (cents), besides keys that say so. */
    readonly minor_unit_paths: readonly string[];
    /** Values that say that a decision was denied or failed, so that no amount is at risk. */
    readonly denied_by: readonly {
      /** Path of a value, such as `outputs.approved`. */
      readonly path: string;
      /** Booleans, or texts that the whole value equals, in any case. */
      readonly values: readonly (boolean | string)[];
    }[];
    /** Keys of metadata that together name the version of an agent. */
    readonly version_keys: readonly string[];
    /** Cost of handling a loss, in addition to the amount, in the base currency. A decimal of 0 or more. */
    readonly response_cost: string;
    /** Total exposure, in the base currency, that is too high. Null: no threshold. A decimal. */
    readonly exposure_alert_threshold: string | null;
    /** Weight of the expected loss rate, as a number of observed decisions. */
    readonly credibility: number;
    /** Weight of the assumed loss sizes (the whole amount, on average), as a number of losses. */
    readonly severity_credibility: number;
    /** Minimum loss rate, as a share of the benchmark. 0: none. */
    readonly benchmark_floor: number;
    /** Spread of loss sizes: the standard deviation of their logarithm. */
    readonly severity_spread: number;
    readonly confidence: {
      /** Confidence that does not change the odds of a loss. */
      readonly neutral: number;
      /** The increase in confidence that halves the odds of a loss; the same decrease doubles them. */
      readonly halving: number;
      /** Lower limit of the factor that confidence applies to the odds, */
      readonly least: number;
      /** and its upper limit. */
      readonly most: number;
    };
    readonly oversight: {
      /** Factor on the odds of a loss for `human_in_loop` alone. */
      readonly human_in_loop: number;
      /** Factor for a decision with a `metadata.reviewer_id`; at most that of `human_in_loop`. */
      readonly reviewer: number;
    };
    /** Days after which a decision without a loss counts as successful. */
    readonly loss_maturity_days: number;
    /** `loss_maturity_days` of individual action types. */
    readonly loss_maturity_days_by_action_type: {
      readonly [name: string]: number;
    };
    /** Days after which no further loss of a decision is expected. */
    readonly loss_horizon_days: number;
    /** `loss_horizon_days` of individual action types. */
    readonly loss_horizon_days_by_action_type: {
      readonly [name: string]: number;
    };
  };
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
    readonly usual: {
      readonly decisions: number;
      readonly losses: number;
    };
    /** Posterior mean at a confidence and oversight of factor 1. */
    readonly rate: number;
  }[];
}
