// Generated from the contract by scripts/client-types.js.

import type { Books, FormatQuery, State } from './analytics-figures.js';
import type { Page, PageQuery, Timestamp } from './shared.js';

export interface MonthQuery extends PageQuery, FormatQuery {
  /** Only this month, as YYYY-MM. */
  readonly month?: string;
}

export interface MonthBooks extends Books {
  /** The base currency at that time. */
  readonly currency: string;
}

export interface MonthPage extends State, Page {
  /** Latest month first. */
  readonly months: readonly {
    /** Month of the events, UTC, as YYYY-MM. */
    readonly month: string;
    readonly closed_at: Timestamp;
    /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
    readonly activity_seq: number;
    /** The hash of that record. */
    readonly activity_hash: string;
    /** The figures as closed. They never change. */
    readonly closed: MonthBooks;
    /** Oldest first. */
    readonly restatements: readonly {
      readonly restated_at: Timestamp;
      /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
      readonly activity_seq: number;
      /** The hash of that record. */
      readonly activity_hash: string;
      /** What differs from the figures before: as closed, or as last restated. */
      readonly changes: readonly {
        /** Such as confirmed.revenue or by_currency.EUR.total. */
        readonly figure: string;
        /** Null if it did not exist. */
        readonly before: string | null;
        /** Null if it no longer exists. */
        readonly after: string | null;
      }[];
      readonly figures: MonthBooks;
    }[];
    /** The figures now, by the current links, rates and settings. */
    readonly current: MonthBooks;
  }[];
}
