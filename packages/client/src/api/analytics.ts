// Generated from the contract by scripts/client-types.js.

import type { Figures } from './analytics-figures.js';

export interface PnlQuery {
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
  /** Only decisions of this agent, and the money they moved. */
  readonly agent_id?: string;
  /** Only decisions of this action type, and the money they moved. */
  readonly action_type?: string;
  /** Adds `by_customer`, which takes longer. */
  readonly group_by?: 'customer';
  /** Default: json. csv: the same figures as a table (RFC 4180, UTF-8). Texts that a spreadsheet would evaluate as a formula begin with an apostrophe. */
  readonly format?: 'json' | 'csv';
}

export interface Pnl {
  /** The base currency of the settings. */
  readonly currency: string;
  /** The time of the state that the figures show. RFC 3339, UTC. */
  readonly as_of: string;
  /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
  readonly activity_seq: number;
  /** Revenue, confirmed and matched. */
  readonly total_revenue_attributed: string;
  /** Net, confirmed and matched. */
  readonly net_ai_impact: string;
  /** Contains the net after all matched suggestions are reviewed, in 9 cases of 10, if their strengths are right. Both ends equal the net if nothing is matched. */
  readonly confidence_interval: {
    /** Decimal, in the base currency, to its minor unit. */
    readonly low: string;
    /** Decimal, in the base currency, to its minor unit. */
    readonly high: string;
  };
  /** Confirmed and matched money together. */
  readonly expected: Figures;
  /** Links that people made or confirmed. */
  readonly confirmed: Figures;
  /** Suggested links that a transaction-level key or a unique amount supports. */
  readonly matched: Figures;
  /** Other suggested links. No total counts them until they are reviewed. */
  readonly guessed: Figures;
  /** The part of the events in the range that is not linked, with its sign. Null if the analysis is filtered by agent or action type. */
  readonly unattributed: string | null;
  /** All live events that a rate converts: confirmed, matched, guessed and unattributed together. Null if the analysis is filtered by agent or action type. */
  readonly total: string | null;
  /** Linked amounts without an exchange rate on their day; excluded from all totals. */
  readonly unconverted: readonly {
    readonly currency: string;
    readonly amount: string;
  }[];
  /** Unlinked amounts of events without an exchange rate on their day; excluded from unattributed. Empty if the analysis is filtered by agent or action type. */
  readonly unattributed_unconverted: readonly {
    readonly currency: string;
    readonly amount: string;
  }[];
  /** The same parts in the currencies of the events. Unattributed and total are null if the analysis is filtered by agent or action type. */
  readonly by_currency: readonly {
    /** The currency of the events. */
    readonly currency: string;
    /** Decimal, in `currency`, to its minor unit. */
    readonly confirmed: string;
    /** Decimal, in `currency`, to its minor unit. */
    readonly matched: string;
    /** Decimal, in `currency`, to its minor unit. */
    readonly guessed: string;
    readonly unattributed: string | null;
    /** Linked or not: the events without an exchange rate on their day. */
    readonly unconverted: string;
    /** All live events: the sum of the five other amounts. */
    readonly total: string | null;
  }[];
  /** What the decisions of the range, by their own time, have cost and may still cost. A memo item: no other figure includes it. Null while the estimates are in a currency other than the base currency. */
  readonly expected_liability: string | null;
  /** Decisions of the range, by their own time. */
  readonly decisions: number;
  /** By key. At most 1000 agents: those with the largest gains and losses. */
  readonly by_agent: readonly {
    readonly key: string;
    /** Confirmed and matched money together. */
    readonly expected: Figures;
    /** Links that people made or confirmed. */
    readonly confirmed: Figures;
    /** Suggested links that a transaction-level key or a unique amount supports. */
    readonly matched: Figures;
    /** Other suggested links. No total counts them until they are reviewed. */
    readonly guessed: Figures;
  }[];
  /** By key. At most 1000 action types: those with the largest gains and losses. */
  readonly by_action_type: readonly {
    readonly key: string;
    /** Confirmed and matched money together. */
    readonly expected: Figures;
    /** Links that people made or confirmed. */
    readonly confirmed: Figures;
    /** Suggested links that a transaction-level key or a unique amount supports. */
    readonly matched: Figures;
    /** Other suggested links. No total counts them until they are reviewed. */
    readonly guessed: Figures;
  }[];
  /** At most 1000 customers. Null unless `group_by` asks for it. */
  readonly by_customer:
    | readonly {
        /** Null: no customer is named. */
        readonly key: string | null;
        /** Confirmed and matched money together. */
        readonly expected: Figures;
        /** Links that people made or confirmed. */
        readonly confirmed: Figures;
        /** Suggested links that a transaction-level key or a unique amount supports. */
        readonly matched: Figures;
        /** Other suggested links. No total counts them until they are reviewed. */
        readonly guessed: Figures;
      }[]
    | null;
  readonly by_month: readonly {
    readonly key: string;
    /** Confirmed and matched money together. */
    readonly expected: Figures;
    /** Links that people made or confirmed. */
    readonly confirmed: Figures;
    /** Suggested links that a transaction-level key or a unique amount supports. */
    readonly matched: Figures;
    /** Other suggested links. No total counts them until they are reviewed. */
    readonly guessed: Figures;
    /** When the month was closed; null while it is open. */
    readonly closed_at: string | null;
    /** When it was last restated; null if its figures as closed stand. */
    readonly restated_at: string | null;
  }[];
  /** Keys such as 2026-Q2. */
  readonly by_quarter: readonly {
    readonly key: string;
    /** Confirmed and matched money together. */
    readonly expected: Figures;
    /** Links that people made or confirmed. */
    readonly confirmed: Figures;
    /** Suggested links that a transaction-level key or a unique amount supports. */
    readonly matched: Figures;
    /** Other suggested links. No total counts them until they are reviewed. */
    readonly guessed: Figures;
  }[];
  /** The groups beyond 1000, together. Null if all are listed. */
  readonly others: {
    readonly by_agent: {
      /** Confirmed and matched money together. */
      readonly expected: Figures;
      /** Links that people made or confirmed. */
      readonly confirmed: Figures;
      /** Suggested links that a transaction-level key or a unique amount supports. */
      readonly matched: Figures;
      /** Other suggested links. No total counts them until they are reviewed. */
      readonly guessed: Figures;
    } | null;
    readonly by_action_type: {
      /** Confirmed and matched money together. */
      readonly expected: Figures;
      /** Links that people made or confirmed. */
      readonly confirmed: Figures;
      /** Suggested links that a transaction-level key or a unique amount supports. */
      readonly matched: Figures;
      /** Other suggested links. No total counts them until they are reviewed. */
      readonly guessed: Figures;
    } | null;
    readonly by_customer: {
      /** Confirmed and matched money together. */
      readonly expected: Figures;
      /** Links that people made or confirmed. */
      readonly confirmed: Figures;
      /** Suggested links that a transaction-level key or a unique amount supports. */
      readonly matched: Figures;
      /** Other suggested links. No total counts them until they are reviewed. */
      readonly guessed: Figures;
    } | null;
  };
}

export interface TimelineQuery {
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
  /** Only decisions of this agent, and the money they moved. */
  readonly agent_id?: string;
  /** Only decisions of this action type, and the money they moved. */
  readonly action_type?: string;
  /** In UTC. Default: day. Weeks begin on Monday (ISO 8601). */
  readonly bucket?: 'hour' | 'day' | 'week' | 'month' | 'quarter';
  /** One row per bucket and agent or action type, instead of one per bucket. */
  readonly group_by?: 'agent' | 'action_type';
  /** Default: json. csv: the same figures as a table (RFC 4180, UTF-8). Texts that a spreadsheet would evaluate as a formula begin with an apostrophe. */
  readonly format?: 'json' | 'csv';
}

export interface Timeline {
  /** The base currency of the settings. */
  readonly currency: string;
  /** The time of the state that the figures show. RFC 3339, UTC. */
  readonly as_of: string;
  /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
  readonly activity_seq: number;
  /** In UTC. Default: day. Weeks begin on Monday (ISO 8601). */
  readonly bucket: 'hour' | 'day' | 'week' | 'month' | 'quarter';
  readonly group_by: 'agent' | 'action_type' | null;
  /** By start, then key. Empty buckets are left out. */
  readonly timeline: readonly {
    /** Start of the bucket: RFC 3339, UTC. */
    readonly start: string;
    /** The agent or action type; null if rows are not grouped. */
    readonly key: string | null;
    /** Number of decisions. */
    readonly decisions: number;
    /** Mean confidence. From 0 to 1; null if there are no decisions. */
    readonly mean_confidence: number | null;
    /** Share with a human in the loop or a reviewer. From 0 to 1; null if there are no decisions. */
    readonly human_review_share: number | null;
    /** Null while the estimates are in a currency other than the base currency. */
    readonly exposure: string | null;
    /** Decimal, in the base currency, to its minor unit. */
    readonly revenue: string;
    /** Decimal, in the base currency, to its minor unit. */
    readonly losses: string;
    /** Decimal, in the base currency, to its minor unit. */
    readonly net: string;
    /** Guessed links, which the other figures leave out. */
    readonly guessed: {
      /** Decimal, in the base currency, to its minor unit. */
      readonly revenue: string;
      /** Decimal, in the base currency, to its minor unit. */
      readonly losses: string;
      /** Decimal, in the base currency, to its minor unit. */
      readonly net: string;
    };
    /** Linked amounts without an exchange rate on their day. */
    readonly unconverted: readonly {
      readonly currency: string;
      readonly amount: string;
    }[];
  }[];
}

export interface AgentQuery {
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
  /** Only decisions of this agent, and the money they moved. */
  readonly agent_id?: string;
  /** Only decisions of this action type, and the money they moved. */
  readonly action_type?: string;
  /** Default: json. csv: the same figures as a table (RFC 4180, UTF-8). Texts that a spreadsheet would evaluate as a formula begin with an apostrophe. */
  readonly format?: 'json' | 'csv';
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}

export interface AgentPage {
  /** The base currency of the settings. */
  readonly currency: string;
  /** The time of the state that the figures show. RFC 3339, UTC. */
  readonly as_of: string;
  /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
  readonly activity_seq: number;
  /** Largest exposure first. */
  readonly agents: readonly {
    readonly agent_id: string;
    /** Number of decisions. */
    readonly decisions: number;
    /** Mean confidence. From 0 to 1; null if there are no decisions. */
    readonly mean_confidence: number | null;
    /** Share with a human in the loop or a reviewer. From 0 to 1; null if there are no decisions. */
    readonly human_review_share: number | null;
    /** Null while the estimates are in a currency other than the base currency. */
    readonly exposure: string | null;
    /** Decimal, in the base currency, to its minor unit. */
    readonly revenue: string;
    /** Decimal, in the base currency, to its minor unit. */
    readonly losses: string;
    /** Decimal, in the base currency, to its minor unit. */
    readonly net: string;
    /** Guessed links, which the other figures leave out. */
    readonly guessed: {
      /** Decimal, in the base currency, to its minor unit. */
      readonly revenue: string;
      /** Decimal, in the base currency, to its minor unit. */
      readonly losses: string;
      /** Decimal, in the base currency, to its minor unit. */
      readonly net: string;
    };
    /** Linked amounts without an exchange rate on their day. */
    readonly unconverted: readonly {
      readonly currency: string;
      readonly amount: string;
    }[];
  }[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}
