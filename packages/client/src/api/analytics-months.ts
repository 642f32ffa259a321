// Generated from the contract by scripts/client-types.js.

import type { Figures } from './analytics-figures.js';

export interface MonthQuery {
  /** Only this month, as YYYY-MM. */
  readonly month?: string;
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}

export interface MonthPage {
  /** The time of the state that the figures show. RFC 3339, UTC. */
  readonly as_of: string;
  /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
  readonly activity_seq: number;
  /** Latest month first. */
  readonly months: readonly {
    /** Month of the events, UTC, as YYYY-MM. */
    readonly month: string;
    /** RFC 3339 date-time. Answers are UTC with milliseconds. */
    readonly closed_at: string;
    /** The last record of the activity chain at that time. Answers with the same number were made from the same money, rates and settings. */
    readonly activity_seq: number;
    /** The hash of that record. */
    readonly activity_hash: string;
    /** The figures as closed. They never change. */
    readonly closed: {
      /** The base currency at that time. */
      readonly currency: string;
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
    };
    /** Oldest first. */
    readonly restatements: readonly {
      /** RFC 3339 date-time. Answers are UTC with milliseconds. */
      readonly restated_at: string;
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
      readonly figures: {
        /** The base currency at that time. */
        readonly currency: string;
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
      };
    }[];
    /** The figures now, by the current links, rates and settings. */
    readonly current: {
      /** The base currency at that time. */
      readonly currency: string;
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
    };
  }[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}
