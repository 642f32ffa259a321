// Generated from the contract by scripts/client-types.js.

import type {
  AnalysisQuery,
  Books,
  CurrencyAmount,
  FormatQuery,
  LabelledFigures,
  Money,
  PagedAnalysisQuery,
  State,
} from './analytics-figures.js';
import type { Page } from './shared.js';

export interface PnlQuery extends AnalysisQuery, FormatQuery {
  /** Adds `by_customer`, which takes longer. */
  readonly group_by?: 'customer';
}

export interface Group extends LabelledFigures {
  readonly key: string;
}

export interface Pnl extends Books, State {
  /** The base currency of the settings. */
  readonly currency: string;
  /** Every decision up to this position of the chain is counted. */
  readonly as_of_seq: number;
  /** Later decisions, which are not counted yet. 0 unless many decisions were recorded within about a second, or an estimate cannot be made. */
  readonly pending: number;
  /** Revenue, confirmed and matched. */
  readonly total_revenue_attributed: string;
  /** Net, confirmed and matched. */
  readonly net_ai_impact: string;
  /** Contains the net after all matched suggestions are reviewed, in 9 cases of 10, if their strengths are right. Both ends equal the net if nothing is matched. */
  readonly confidence_interval: {
    readonly low: Money;
    readonly high: Money;
  };
  /** What all money of the range was moved by recorded decisions, whatever is reviewed: the truth lies between `low` and `high` in about 9 cases of 10. It covers wrong suggestions, missing ones and a model that is wrong about whole event types; not wrong answers of people, money without an exchange rate, or events that were not reported. Null for one agent or action type. */
  readonly likely_net: {
    /** What people confirmed: the net of `confirmed`. */
    readonly proven: string;
    /** Of the money whose cause nobody named: each event times the probability that a recorded decision caused it. */
    readonly likely: string;
    /** The rest of `total`: no recorded decision is expected to have caused it, or somebody said so. */
    readonly unknown: string;
    /** `proven` + `likely`. */
    readonly expected: string;
    readonly low: Money;
    readonly high: Money;
    /** Where `net_ai_impact` lies: below `low`, above `high`, or within. */
    readonly headline: 'below' | 'within' | 'above';
  } | null;
  /** What refunds, disputes, chargebacks and fees of the range took back, as positive amounts. Always of the whole ledger: money without a cause belongs to no agent yet. */
  readonly reversals: {
    readonly total: Money;
    /** The part of `total` that no confirmed or matched link takes, and of which nobody said that no recorded decision caused it. */
    readonly without_cause: string;
    /** A sentence with the sum while more than a tenth of `total` is without a cause: the revenue is then shown without what reversed it. Else null. */
    readonly warning: string | null;
  };
  /** All that was reported, by currency: what counts, and what does not, with the reason. Empty if the analysis is filtered by agent or action type. */
  readonly reported: readonly {
    /** The currency of the events. */
    readonly currency: string;
    /** What counts: the total of `by_currency`. */
    readonly counted: string;
    /** Of `counted`: sales of which no event says what they are without tax. */
    readonly may_include_tax: string;
    /** The tax of what counts, where its events state it: it is not counted. */
    readonly tax: string;
    /** What would count twice: events whose money another event of their movement counts. */
    readonly counted_once: string;
    /** Forecasts, accruals and pending lines. */
    readonly planned: string;
    /** Promised, and not captured. */
    readonly authorised: string;
    /** Came back untouched, or was never captured. */
    readonly void: string;
    /** Payouts, transfers and conversions. */
    readonly between_own_accounts: string;
    /** Of sources without signs, as recorded: nothing says in which direction it moved. */
    readonly unclassified: string;
    /** All live events: the sum of all other amounts but `may_include_tax`. */
    readonly reported: string;
  }[];
  /** What the decisions of the range, by their own time, have cost and may still cost. A memo item: no other figure includes it. Null while the estimates are in a currency other than the base currency. */
  readonly expected_liability: string | null;
  /** Decisions of the range, by their own time. */
  readonly decisions: number;
  /** By key. At most 1000 agents: those with the largest gains and losses. */
  readonly by_agent: readonly Group[];
  /** By key. At most 1000 action types: those with the largest gains and losses. */
  readonly by_action_type: readonly Group[];
  /** At most 1000 customers. Null unless `group_by` asks for it. */
  readonly by_customer:
    | readonly (LabelledFigures & {
        /** Null: no customer is named. */
        readonly key: string | null;
      })[]
    | null;
  readonly by_month: readonly (Group & {
    /** When the month was closed; null while it is open. */
    readonly closed_at: string | null;
    /** When it was last restated; null if its figures as closed stand. */
    readonly restated_at: string | null;
  })[];
  /** Keys such as 2026-Q2. */
  readonly by_quarter: readonly Group[];
  /** The groups beyond 1000, together. Null if all are listed. */
  readonly others: {
    readonly by_agent: LabelledFigures | null;
    readonly by_action_type: LabelledFigures | null;
    readonly by_customer: LabelledFigures | null;
  };
}

export interface TimelineQuery extends AnalysisQuery, FormatQuery {
  /** In UTC. Default: day. Weeks begin on Monday (ISO 8601). */
  readonly bucket?: 'hour' | 'day' | 'week' | 'month' | 'quarter';
  /** One row per bucket and agent or action type, instead of one per bucket. */
  readonly group_by?: 'agent' | 'action_type';
}

export interface Sums {
  readonly revenue: Money;
  readonly losses: Money;
  readonly net: Money;
}

export interface FiguresOfDecisions {
  /** Number of decisions. */
  readonly decisions: number;
  /** Mean confidence. From 0 to 1; null if there are no decisions. */
  readonly mean_confidence: number | null;
  /** Share with a human in the loop or a reviewer. From 0 to 1; null if there are no decisions. */
  readonly human_review_share: number | null;
  /** Null while the estimates are in a currency other than the base currency. */
  readonly exposure: string | null;
  /** Guessed links, which the other figures leave out. */
  readonly guessed: Sums;
  /** Linked amounts without an exchange rate on their day. */
  readonly unconverted: readonly CurrencyAmount[];
}

export interface Timeline extends State {
  /** The base currency of the settings. */
  readonly currency: string;
  /** Every decision up to this position of the chain is counted. */
  readonly as_of_seq: number;
  /** Later decisions, which are not counted yet. 0 unless many decisions were recorded within about a second, or an estimate cannot be made. */
  readonly pending: number;
  /** In UTC. Default: day. Weeks begin on Monday (ISO 8601). */
  readonly bucket: 'hour' | 'day' | 'week' | 'month' | 'quarter';
  readonly group_by: 'agent' | 'action_type' | null;
  /** By start, then key. Empty buckets are left out. */
  readonly timeline: readonly (FiguresOfDecisions &
    Sums & {
      /** Start of the bucket: RFC 3339, UTC. */
      readonly start: string;
      /** The agent or action type; null if rows are not grouped. */
      readonly key: string | null;
    })[];
}

export type AgentQuery = PagedAnalysisQuery;

export interface AgentPage extends State, Page {
  /** The base currency of the settings. */
  readonly currency: string;
  /** Every decision up to this position of the chain is counted. */
  readonly as_of_seq: number;
  /** Later decisions, which are not counted yet. 0 unless many decisions were recorded within about a second, or an estimate cannot be made. */
  readonly pending: number;
  /** Largest exposure first. */
  readonly agents: readonly (FiguresOfDecisions &
    Sums & {
      readonly agent_id: string;
    })[];
}
