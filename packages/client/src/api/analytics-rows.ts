// Generated from the contract by scripts/client-types.js.

import type { CurrencyAmount, PagedAnalysisQuery, State } from './analytics-figures.js';
import type { Page, Timestamp } from './shared.js';

export interface RowsQuery extends PagedAnalysisQuery {
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
    | 'total'
    | 'tax'
    | 'counted_once'
    | 'planned'
    | 'authorised'
    | 'void'
    | 'between_own_accounts'
    | 'unclassified';
  /** Only events of this source. */
  readonly source?: string;
  /** Only events of this amount, in or out. */
  readonly amount?: string;
  /** Only events of at least this amount, in or out. */
  readonly min_amount?: string;
  /** Only events of at most this amount, in or out. */
  readonly max_amount?: string;
  /** Only events whose description and reference have all of these words. */
  readonly text?: string;
  /** Only events with this value in their metadata, such as the id of a customer. */
  readonly metadata_value?: string;
  /** Only money of this customer; see `analytics.customer_key`. */
  readonly customer?: string;
  /** Only events in this currency. */
  readonly currency?: string;
}

export interface PnlRows extends State, Page {
  readonly figure: string;
  /** The base currency of the settings. */
  readonly currency: string;
  /** Of all rows of the figure. On the first page; null on the others. */
  readonly sum: {
    /** Number of rows of the figure. */
    readonly rows: number;
    /** The figure before rounding: the sum of converted_amount. */
    readonly converted: string;
    /** The sums of amount, before rounding. */
    readonly by_currency: readonly CurrencyAmount[];
  } | null;
  /** By time of the event, oldest first. */
  readonly rows: readonly {
    readonly financial_event_id: string;
    readonly source: string;
    readonly event_type: string;
    readonly timestamp: Timestamp;
    /** The currency of the event. */
    readonly currency: string;
    /** The amount of the event, as recorded. */
    readonly event_amount: string;
    /** What the event counts with, with its sign: without tax, if it is known. */
    readonly counted_amount: string;
    /** Null for the part that no link takes. */
    readonly link_id: string | null;
    readonly decision_id: string | null;
    /** Of the tax of what counts, and of events that do not count: the line of `reported` that has their amount. */
    readonly label:
      | 'confirmed'
      | 'matched'
      | 'guessed'
      | 'unattributed'
      | 'tax'
      | 'counted_once'
      | 'planned'
      | 'authorised'
      | 'void'
      | 'between_own_accounts'
      | 'unclassified';
    /** Null for the part that no link takes. */
    readonly link_type: string | null;
    /** The share of the event, with 12 decimals. */
    readonly share: string;
    /** The part of counted_amount, in `currency`, with 12 decimals; of a line of `reported`, the amount that is in it. */
    readonly amount: string;
    /** The exchange rate of the day; 1 for the base currency; null if there is none. */
    readonly rate: string | null;
    /** amount × rate, in full, in the base currency. */
    readonly converted_amount: string | null;
  }[];
}
