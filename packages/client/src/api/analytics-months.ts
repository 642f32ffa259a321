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
      /** Which records changed the figures, and by how much. */
      readonly explanation: {
        readonly reasons: readonly {
          /** The type of the records, such as movement.paired. settings.changed or derived.rebuilt: what no record of an event or link explains, such as exchange rates. rounding: what is left of printed figures. unexplained: no record is found, for example after rows were changed in the database. */
          readonly type: string;
          /** Changes of events. 0 if it is of none. */
          readonly changes: number;
          /** What it adds to each figure. The reasons sum to each change exactly. */
          readonly figures: readonly {
            /** Such as confirmed.revenue. */
            readonly figure: string;
            /** Exact decimal, in the currency of the figure. */
            readonly amount: string;
          }[];
          /** Changes of settings, and rebuilds, that it may follow from. At most 20. */
          readonly records: readonly {
            /** Its place in the activity chain. */
            readonly activity_seq: number;
            /** Such as movement.paired. */
            readonly type: string;
            /** A key, or `engine` or `settings`. */
            readonly actor: string;
            readonly created_at: Timestamp;
            /** The event, link or ledger that it is about. */
            readonly subject: string;
            /** Of a pairing: person, rule, deletion or supersession. */
            readonly by: string | null;
            /** Of a pairing by a rule. */
            readonly rule: string | null;
            /** Of a pairing: the event that leads the movement now. */
            readonly lead: string | null;
            /** Of a pairing: the event that it is about besides. Of an inherited link: the payment that it was taken from. */
            readonly other: string | null;
          }[];
        }[];
        /** The changes of events that moved most. At most 20, the largest first. */
        readonly causes: readonly {
          /** An event of the month. */
          readonly financial_event_id: string;
          readonly timestamp: Timestamp;
          readonly currency: string;
          /** Null if it was not recorded yet. */
          readonly before: {
            /** Decimal, in the currency of the event. */
            readonly counted_amount: string;
            /** What links take of it, by label and type. */
            readonly links: readonly {
              readonly label: 'confirmed' | 'matched' | 'guessed';
              readonly link_type: 'revenue' | 'saving' | 'cost' | 'refund' | 'loss';
              /** Decimal, in the currency of the event. */
              readonly amount: string;
            }[];
          } | null;
          /** With the amount 0 if it does not count any more. */
          readonly after: {
            /** Decimal, in the currency of the event. */
            readonly counted_amount: string;
            /** What links take of it, by label and type. */
            readonly links: readonly {
              readonly label: 'confirmed' | 'matched' | 'guessed';
              readonly link_type: 'revenue' | 'saving' | 'cost' | 'refund' | 'loss';
              /** Decimal, in the currency of the event. */
              readonly amount: string;
            }[];
          } | null;
          /** The records that changed it, the first one named by the reason. At most 5. */
          readonly records: readonly {
            /** Its place in the activity chain. */
            readonly activity_seq: number;
            /** Such as movement.paired. */
            readonly type: string;
            /** A key, or `engine` or `settings`. */
            readonly actor: string;
            readonly created_at: Timestamp;
            /** The event, link or ledger that it is about. */
            readonly subject: string;
            /** Of a pairing: person, rule, deletion or supersession. */
            readonly by: string | null;
            /** Of a pairing by a rule. */
            readonly rule: string | null;
            /** Of a pairing: the event that leads the movement now. */
            readonly lead: string | null;
            /** Of a pairing: the event that it is about besides. Of an inherited link: the payment that it was taken from. */
            readonly other: string | null;
          }[];
        }[];
        /** Further changes of events. */
        readonly causes_left_out: number;
      };
      readonly figures: MonthBooks;
    }[];
    /** The figures now, by the current links, rates and settings. */
    readonly current: MonthBooks;
  }[];
}
