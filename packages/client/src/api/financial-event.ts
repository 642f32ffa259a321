// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, RangeQuery, Timestamp } from './shared.js';

export interface FinancialEventBody {
  /** The system that the event comes from, such as billing. */
  readonly source: string;
  /** The kind of event, such as payment or refund. */
  readonly event_type: string;
  /** A decimal: at most 20 digits before the point and 12 after it. */
  readonly amount: string;
  /** ISO 4217 code of a currency that was in use at that time. */
  readonly currency: string;
  /** The caller's own reference. */
  readonly external_id?: string;
  /** When it happened. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly timestamp: string;
  readonly description?: string;
  readonly metadata?: { readonly [name: string]: unknown };
}

export interface FinancialEvent {
  readonly id: string;
  readonly source: string;
  readonly event_type: string;
  readonly amount: string;
  readonly currency: string;
  readonly external_id?: string;
  readonly timestamp: Timestamp;
  readonly description?: string;
  readonly metadata?: { readonly [name: string]: unknown };
  readonly supersedes?: string;
  readonly superseded_by?: string;
  readonly created_at: Timestamp;
  readonly deleted_at: string | null;
}

export interface Movement {
  /** The event whose amount, currency and time count. */
  readonly lead: string;
  /** All events that report this money, by id. One that nothing else reports is alone. */
  readonly reports: readonly string[];
}

export interface PairedMovement extends Movement {
  /** Only with dry_run=true. */
  readonly dry_run?: {
    /** What the events of both movements count now, by currency. */
    readonly counted_before: readonly {
      readonly currency: string;
      /** With its sign. A decimal. */
      readonly amount: string;
    }[];
    /** What they would count. */
    readonly counted_after: readonly {
      readonly currency: string;
      /** With its sign. A decimal. */
      readonly amount: string;
    }[];
  };
}

export interface ReportedEvent extends FinancialEvent {
  /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
  readonly kind:
    | 'sale'
    | 'refund'
    | 'fee'
    | 'tax'
    | 'payout'
    | 'dispute'
    | 'recovery'
    | 'transfer'
    | 'cost'
    | 'other';
  /** Whether the event counts, and if not, why. counted_once: another event of its movement counts. between_own_accounts: a payout or transfer. planned, authorised, void: nothing moved. unclassified: of a source without signs, and nothing says in which direction it moved. */
  readonly standing:
    | 'counted'
    | 'counted_once'
    | 'planned'
    | 'authorised'
    | 'void'
    | 'between_own_accounts'
    | 'unclassified'
    | 'deleted';
  readonly movement: Movement;
}

export interface RelatedEvent extends FinancialEvent {
  /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
  readonly kind:
    | 'sale'
    | 'refund'
    | 'fee'
    | 'tax'
    | 'payout'
    | 'dispute'
    | 'recovery'
    | 'transfer'
    | 'cost'
    | 'other';
  /** Whether the event counts, and if not, why. counted_once: another event of its movement counts. between_own_accounts: a payout or transfer. planned, authorised, void: nothing moved. unclassified: of a source without signs, and nothing says in which direction it moved. */
  readonly standing:
    | 'counted'
    | 'counted_once'
    | 'planned'
    | 'authorised'
    | 'void'
    | 'between_own_accounts'
    | 'unclassified'
    | 'deleted';
  readonly movement: Movement & {
    /** The first 100 relations to other movements. */
    readonly relations: readonly {
      /** reverses: gives back, or takes back, what the other moved. part_of: is contained in the other, such as a charge in a payout. settles: pays what the other announced. converts: is the other side of a conversion. */
      readonly relation: 'reverses' | 'part_of' | 'settles' | 'converts';
      /** to: this movement is so related to the other. from: the other is so related to this one. */
      readonly direction: 'to' | 'from';
      /** The `external_id` that names what the relation is to. */
      readonly reference: string;
      /** The event of the other movement. Null if none is recorded. */
      readonly report: {
        readonly id: string;
        readonly event_type: string;
        readonly amount: string;
        readonly currency: string;
      } | null;
      /** The event that leads the other movement. */
      readonly movement: string | null;
    }[];
    /** The check of what a payout, or any other event, consists of. Null if nothing is part of it. */
    readonly parts: {
      readonly currency: string;
      /** Of the event itself. */
      readonly amount: string;
      /** Of its parts, as they were settled. */
      readonly sum: string;
      /** `amount` less `sum`. 0 if nothing is missing. */
      readonly difference: string;
      /** Parts without an amount in this currency. */
      readonly unknown: number;
      /** Sums of all parts, by type. */
      readonly types: readonly {
        readonly event_type: string;
        readonly count: number;
        readonly amount: string;
      }[];
    } | null;
  };
}

export interface FinancialEventPage extends Page {
  readonly financial_events: readonly ReportedEvent[];
}

export interface FinancialEventQuery extends PageQuery, RangeQuery {
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
  /** Only events of this type. */
  readonly event_type?: string;
  /** Only events with this reference. */
  readonly external_id?: string;
  /** Only events in this currency. */
  readonly currency?: string;
  /** Include soft-deleted and superseded events. Default: false. */
  readonly include_deleted?: boolean;
  /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
  readonly kind?:
    | 'sale'
    | 'refund'
    | 'fee'
    | 'tax'
    | 'payout'
    | 'dispute'
    | 'recovery'
    | 'transfer'
    | 'cost'
    | 'other';
  /** Whether the event counts, and if not, why. counted_once: another event of its movement counts. between_own_accounts: a payout or transfer. planned, authorised, void: nothing moved. unclassified: of a source without signs, and nothing says in which direction it moved. */
  readonly standing?:
    | 'counted'
    | 'counted_once'
    | 'planned'
    | 'authorised'
    | 'void'
    | 'between_own_accounts'
    | 'unclassified'
    | 'deleted';
  /** Only events that reverse a payment which is not recorded, such as its refund. */
  readonly reverses_unknown?: boolean;
}

export interface PairBody {
  /** Two events, or more: what is said is said of the first and each other one. */
  readonly reports: readonly string[];
}

export interface PartBody {
  /** The event that reports other money. */
  readonly report: string;
  /** The event whose money it is not. Default: all others of its movement. */
  readonly from?: string;
}

export interface SameMoneyPage extends Page {
  readonly reports: readonly {
    readonly report: ReportedEvent;
    readonly possible: readonly {
      readonly financial_event: FinancialEvent;
      /** same_reference: another source states the same amount and a reference in common, within 45 days if few events have it, else within 4. repeated: the profile of one says that it repeats the other, and both state the same amount, within 4 days. repeated_in_books: an accounting connection states the same amount, within 4 days. arrived_at_bank: a line of a bank states the amount of a payout, within 4 days. sum_by_reference: events of one source that name the same order add up to it, or to another amount. sum_of_period: it is all that another source reports of a day, a week or a month, to the cent, or these sales less their fees. */
      readonly rule:
        | 'same_reference'
        | 'repeated'
        | 'repeated_in_books'
        | 'arrived_at_bank'
        | 'sum_by_reference'
        | 'sum_of_period';
      /** Why no rule pairs them. several_possibilities: one of them may be of the money of another event as well. far_apart: they are more than 4 days apart, and share a reference that many events have, or one is the only event of its amount within 45 days that the books do not have. other_references: they name different customers, or different orders, or are payments of two processors. other_kind: what is known of them is of different kinds, such as a payout and a sale. other_amount: the books have a bit less, and nobody states a fee, or events of one order do not add up, or are in currencies with another rate, or with none. contradicting_links: people linked them to different decisions, or in opposite directions. one_source, parted: others would be brought together that are of one source, or that somebody parted. no_reference: nothing but the amount says it. */
      readonly doubt:
        | 'several_possibilities'
        | 'far_apart'
        | 'other_references'
        | 'other_kind'
        | 'other_amount'
        | 'contradicting_links'
        | 'one_source'
        | 'parted'
        | 'no_reference';
      /** The sum that is asked about; absent if it is about two events. `financial_event` is then the first part, and parting it from the whole says that the sum is not the same money. */
      readonly sum?: {
        /** The event that may be all of it. */
        readonly whole: string;
        /** The events of one source that may be it together; of those of a period, the first twelve at most. */
        readonly parts: readonly FinancialEvent[];
        /** What the parts add up to: a decimal. */
        readonly amount: string;
        /** Of all that a source reports of a period. */
        readonly period?: {
          /** How many parts there are. */
          readonly count: number;
          /** The first day. As YYYY-MM-DD. */
          readonly from: string;
          /** The last day. As YYYY-MM-DD. */
          readonly to: string;
        };
        /** What to send to `POST /movements/pair` if it is the same money. If the source of the parts is nearer to the cash, they all count, and the whole becomes a witness of one of them; else the whole counts. */
        readonly reports: readonly string[];
      };
    }[];
  }[];
  /** Events of the whole list. More than 1,000 are not counted. */
  readonly open: number;
  /** The sums of their amounts without sign, by currency: decimals. */
  readonly open_amounts: readonly {
    readonly currency: string;
    readonly amount: string;
  }[];
}

export type SameMoneyQuery = PageQuery;
