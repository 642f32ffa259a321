// Generated from the contract by scripts/client-types.js.

import type { PageQuery, RangeQuery } from './shared.js';

export interface AnalysisQuery extends RangeQuery {
  /** Only decisions of this agent, and the money they moved. */
  readonly agent_id?: string;
  /** Only decisions of this action type, and the money they moved. */
  readonly action_type?: string;
}

export interface FormatQuery {
  /** Default: json. csv: the same figures as a table (RFC 4180, UTF-8). Texts that a spreadsheet would evaluate as a formula begin with an apostrophe. */
  readonly format?: 'json' | 'csv';
}

export interface PagedAnalysisQuery extends AnalysisQuery, PageQuery, FormatQuery {}

export interface State {
  /** The time of the state that the figures show. RFC 3339, UTC. */
  readonly as_of: string;
  /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
  readonly activity_seq: number;
}

/** Decimal, in the base currency, to its minor unit. */
export type Money = string;

export interface Figures {
  readonly revenue: Money;
  readonly savings: Money;
  readonly costs: Money;
  readonly refunds: Money;
  readonly losses: Money;
  readonly net: Money;
}

export interface LabelledFigures {
  /** Confirmed and matched money together. */
  readonly expected: Figures;
  /** Links that people made or confirmed. */
  readonly confirmed: Figures;
  /** Suggested links with the steps of the transaction that the money belongs to. */
  readonly matched: Figures;
  /** Other suggested links. No total counts them until they are reviewed. */
  readonly guessed: Figures;
}

export interface CurrencyAmount {
  readonly currency: string;
  readonly amount: string;
}

export interface CurrencyBooks {
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
}

export interface Books extends LabelledFigures {
  /** The part of the events in the range that is not linked, with its sign. Null if the analysis is filtered by agent or action type. */
  readonly unattributed: string | null;
  /** All live events that a rate converts: confirmed, matched, guessed and unattributed together. Null if the analysis is filtered by agent or action type. */
  readonly total: string | null;
  /** Linked amounts without an exchange rate on their day; excluded from all totals. */
  readonly unconverted: readonly CurrencyAmount[];
  /** Unlinked amounts of events without an exchange rate on their day; excluded from unattributed. Empty if the analysis is filtered by agent or action type. */
  readonly unattributed_unconverted: readonly CurrencyAmount[];
  /** The same parts in the currencies of the events. Unattributed and total are null if the analysis is filtered by agent or action type. */
  readonly by_currency: readonly CurrencyBooks[];
}
