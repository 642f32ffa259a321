// Generated from the contract by scripts/client-types.js.

import type {
  AnalysisQuery,
  FormatQuery,
  Money,
  PagedAnalysisQuery,
  State,
} from './analytics-figures.js';
import type { Page, Timestamp } from './shared.js';

export interface ExposureQuery extends AnalysisQuery, FormatQuery {
  /** Number of decisions to list. Default: 10. */
  readonly top?: number;
}

export interface ExposureAnalysis {
  /** The base currency that the estimates are in. */
  readonly currency: string;
  /** The time of the state that the figures show. RFC 3339, UTC. */
  readonly as_of: string;
  /** Every decision up to this position of the chain is counted. */
  readonly as_of_seq: number;
  /** Later decisions, which are not counted yet. 0 unless many decisions were recorded within about a second, or an estimate cannot be made. */
  readonly pending: number;
  /** Version of the model. */
  readonly version: string;
  readonly aggregate: {
    /** Sum of the expected costs, including losses to date. */
    readonly expected: string;
    /** 5th percentile of the simulated total cost. */
    readonly low90: string;
    /** 95th percentile of the simulated total cost. */
    readonly high90: string;
    /** Value at risk: the total cost exceeds it in one case of twenty. */
    readonly var95: string;
    /** Expected shortfall: mean total cost of these cases. */
    readonly es95: string;
    /** `prior`: more than half of the expected cost stems from benchmarks and the matrix. If these are wrong, so is the interval. */
    readonly basis: 'prior' | 'experience';
    /** Losses to date. */
    readonly realised: string;
    /** What may still be lost: the expected cost − `realised`. Decimal. */
    readonly open: string;
    /** Median of the simulated total cost. */
    readonly p50: string;
  };
  /** Decisions of the range, by their own time. */
  readonly decisions: number;
  /** Largest `open` first, at most 1000. */
  readonly by_action_type: readonly {
    readonly action_type: string;
    /** Number of decisions. */
    readonly decisions: number;
    readonly exposure: Money;
    readonly realised: Money;
    /** What may still be lost: the expected cost − `realised`. Decimal. */
    readonly open: string;
  }[];
  /** Those that may still cost most: largest `open` first. */
  readonly top_decisions: readonly {
    readonly decision_id: string;
    readonly agent_id: string;
    readonly action_type: string;
    readonly timestamp: Timestamp;
    readonly expected: Money;
    readonly expected_low: Money;
    readonly expected_high: Money;
    readonly realised: Money;
    /** What may still be lost: the expected cost − `realised`. Decimal. */
    readonly open: string;
    readonly loss_if_any_p50: Money;
    readonly loss_if_any_p95: Money;
  }[];
  /** Oldest first. */
  readonly trend: readonly {
    /** UTC, as YYYY-MM-DD. */
    readonly day: string;
    /** False: the value after the nightly run of that day. True: the current value. */
    readonly is_now: boolean;
    /** The base currency at that time. */
    readonly currency: string;
    /** All decisions recorded by then, whatever their own time. */
    readonly decisions: number;
    readonly exposure: string;
    readonly realised: string;
  }[];
  /** `liability.exposure_alert_threshold` of the settings. */
  readonly threshold: string | null;
  /** Whether what may still be lost in the whole ledger, without filters, is above the threshold. */
  readonly is_threshold_crossed: boolean;
  /** `unknown`: not exceeded by what is known, but some amounts have no exchange rate. Null without a threshold. */
  readonly threshold_status: 'exceeded' | 'not_exceeded' | 'unknown' | null;
  /** Amounts excluded from all sums because no exchange rate applies. */
  readonly unconverted_count: number;
  /** Decisions that were denied or failed, so that no amount is at risk. */
  readonly denied_count: number;
}

export type ExposureRowsQuery = PagedAnalysisQuery;

export interface ExposureRows extends State, Page {
  /** The base currency that the estimates are in. */
  readonly currency: string;
  /** Every decision up to this position of the chain is counted. */
  readonly as_of_seq: number;
  /** Later decisions, which are not counted yet. 0 unless many decisions were recorded within about a second, or an estimate cannot be made. */
  readonly pending: number;
  /** Of all rows. On the first page; null on the others. */
  readonly sum: {
    /** Number of decisions. */
    readonly rows: number;
    /** The sum of exposure, in full: the figure before rounding. */
    readonly exposure: string;
    /** The sum of realised, in full. */
    readonly realised: string;
    /** The sum of open, in full: exposure − realised. */
    readonly open: string;
    /** The sum of confidence. */
    readonly confidence: number;
    /** Decisions with a human in the loop or a reviewer. */
    readonly reviewed: number;
    /** Decisions that were denied or failed. */
    readonly denied: number;
    /** Amounts that no exchange rate converts. */
    readonly unconverted: number;
  } | null;
  /** By time of the decision, oldest first. */
  readonly rows: readonly {
    readonly decision_id: string;
    /** Position in the chain. */
    readonly seq: number;
    readonly agent_id: string;
    readonly action_type: string;
    readonly timestamp: Timestamp;
    readonly confidence: number;
    /** A human in the loop or a reviewer. */
    readonly is_reviewed: boolean;
    /** What the decision has cost and may still cost. Decimal, in full. */
    readonly exposure: string;
    /** 5th percentile of its cost. Decimal, in full. */
    readonly low: string;
    /** 95th percentile of its cost. Decimal, in full. */
    readonly high: string;
    /** Losses to date. Decimal, in full. */
    readonly realised: string;
    /** What may still be lost: exposure − realised. Decimal, in full. */
    readonly open: string;
    /** Denied or failed, so that no amount is at risk. */
    readonly is_denied: boolean;
    /** Its amounts that no exchange rate converts. */
    readonly unconverted_count: number;
  }[];
}
