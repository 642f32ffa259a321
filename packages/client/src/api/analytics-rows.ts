// Generated from the contract by scripts/client-types.js.

export interface RowsQuery {
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
  /** Only decisions of this agent, and the money they moved. */
  readonly agent_id?: string;
  /** Only decisions of this action type, and the money they moved. */
  readonly action_type?: string;
  /** The figure of GET /analytics/ai-pnl whose rows are listed. Default: total. */
  readonly figure?:
    | 'expected.revenue'
    | 'expected.savings'
    | 'expected.costs'
    | 'expected.refunds'
    | 'expected.losses'
    | 'expected.net'
    | 'confirmed.revenue'
    | 'confirmed.savings'
    | 'confirmed.costs'
    | 'confirmed.refunds'
    | 'confirmed.losses'
    | 'confirmed.net'
    | 'matched.revenue'
    | 'matched.savings'
    | 'matched.costs'
    | 'matched.refunds'
    | 'matched.losses'
    | 'matched.net'
    | 'guessed.revenue'
    | 'guessed.savings'
    | 'guessed.costs'
    | 'guessed.refunds'
    | 'guessed.losses'
    | 'guessed.net'
    | 'unattributed'
    | 'unconverted'
    | 'unattributed_unconverted'
    | 'total';
  /** Only money of this customer; see `analytics.customer_key`. */
  readonly customer?: string;
  /** Only events in this currency. */
  readonly currency?: string;
  /** Default: json. csv: the same figures as a table (RFC 4180, UTF-8). Texts that a spreadsheet would evaluate as a formula begin with an apostrophe. */
  readonly format?: 'json' | 'csv';
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}

export interface PnlRows {
  readonly figure: string;
  /** The base currency of the settings. */
  readonly currency: string;
  /** The time of the state that the figures show. RFC 3339, UTC. */
  readonly as_of: string;
  /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
  readonly activity_seq: number;
  /** Of all rows of the figure. On the first page; null on the others. */
  readonly sum: {
    /** Number of rows of the figure. */
    readonly rows: number;
    /** The figure before rounding: the sum of converted_amount. */
    readonly converted: string;
    /** The sums of amount, before rounding. */
    readonly by_currency: readonly {
      readonly currency: string;
      readonly amount: string;
    }[];
  } | null;
  /** By time of the event, oldest first. */
  readonly rows: readonly {
    readonly financial_event_id: string;
    readonly source: string;
    readonly event_type: string;
    /** RFC 3339 date-time. Answers are UTC with milliseconds. */
    readonly timestamp: string;
    /** The currency of the event. */
    readonly currency: string;
    /** The amount of the event, as recorded. */
    readonly event_amount: string;
    /** The amount of the event with the sign that it counts with. */
    readonly counted_amount: string;
    /** Null for the part that no link takes. */
    readonly link_id: string | null;
    readonly decision_id: string | null;
    readonly label: 'confirmed' | 'matched' | 'guessed' | 'unattributed';
    /** Null for the part that no link takes. */
    readonly link_type: string | null;
    /** The share of the event, with 12 decimals. */
    readonly share: string;
    /** The part of counted_amount, in `currency`, with 12 decimals. */
    readonly amount: string;
    /** The exchange rate of the day; 1 for the base currency; null if there is none. */
    readonly rate: string | null;
    /** amount × rate, in full, in the base currency. */
    readonly converted_amount: string | null;
  }[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}
