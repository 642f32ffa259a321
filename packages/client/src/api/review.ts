// Generated from the contract by scripts/client-types.js.

import type { FinancialEvent } from './financial-event.js';
import type { Link } from './link.js';
import type { Page, PageQuery, RangeQuery, Timestamp } from './shared.js';

export interface Review {
  readonly financial_event: FinancialEvent;
  /** queue: chosen by how much a review would teach. audit: drawn at random, to measure how often suggestions are right; without scores, candidates by time. */
  readonly kind: 'queue' | 'audit';
  /** Share of "no recorded decision". */
  readonly none_share?: number;
  /** The chance that a review changes what is counted, times the amount in the base currency. Null for an audit. */
  readonly priority: number | null;
  readonly candidates: readonly {
    readonly decision_id: string;
    readonly agent_id: string;
    readonly action_type: string;
    readonly timestamp: Timestamp;
    /** Share of the event. */
    readonly share?: number;
    readonly label?: 'matched' | 'guessed';
    /** The suggested link. */
    readonly link_id?: string;
    /** Contribution of each piece of evidence to the log-odds. */
    readonly evidence?: {
      readonly [name: string]: number;
    };
  }[];
}

export interface ReviewPage extends Page {
  readonly reviews: readonly Review[];
  readonly open: {
    /** Number of open reviews. */
    readonly reviews: number;
    /** Sum of their amounts without sign, in the base currency: a decimal. */
    readonly amount: string;
    /** The base currency. */
    readonly currency: string;
    /** Open reviews that the sum lacks, because there is no rate for their currency. */
    readonly unconverted: number;
    /** Whether events wait to be scored: the list may still change by itself. */
    readonly is_scoring: boolean;
  };
}

export interface ReviewQuery extends PageQuery {
  /** Only reviews of this kind. */
  readonly kind?: 'queue' | 'audit';
  /** Only events in this currency. */
  readonly currency?: string;
  /** Only events of this source. */
  readonly source?: string;
  /** Only events of at least this amount, without sign, in the base currency. Events without a rate are left out. */
  readonly min_amount?: number;
  /** Only events with a suggested link, or only those without. */
  readonly has_suggestion?: boolean;
}

export interface ReviewBody {
  /** The decision that caused the event. */
  readonly decision_id?: string;
  /** With decision_id: the share of the event that it caused. Default: all that other links of people leave. */
  readonly strength?: number;
  /** With decision_id. Default: by the sign and the type of the event. */
  readonly link_type?: 'revenue' | 'cost' | 'loss' | 'refund' | 'saving';
  /** No recorded decision caused the event. */
  readonly none?: true;
  /** Nobody can tell; teaches nothing. */
  readonly skip?: true;
  /** The person who reviewed; recorded as self-declared. Only with a key: a session names its person. */
  readonly reviewer?: string;
}

export interface ReviewAnswer {
  readonly financial_event_id: string;
  readonly verdict: 'cause' | 'none' | 'skipped' | 'withdrawn';
  readonly link?: Link;
  /** Only with dry_run=true. */
  readonly dry_run?: {
    /** The base currency. */
    readonly currency: string;
    /** What the event counts as confirmed or matched money now. A decimal. */
    readonly net_before: string;
    /** What it would count after the review. A decimal. */
    readonly net_after: string;
    /** The exposure of the decisions that have a share of the event, now. A decimal. */
    readonly exposure_before: string;
    /** Their exposure after the review. A decimal. */
    readonly exposure_after: string;
    /** Whether net is 0 because there is no rate for the currency of the event. */
    readonly unconverted: boolean;
    /** Events that report the same money now, and would count by themselves: rules part events whose links name different decisions. A link on one of these events instead shares the money between both decisions. */
    readonly parted: readonly string[];
  };
}

export interface Decided {
  readonly events: number;
  readonly sums: readonly {
    readonly currency: string;
    /** Sum of the amounts without sign: a decimal. */
    readonly amount: string;
  }[];
}

export interface GivenAnswer {
  readonly financial_event_id: string;
  readonly event_type: string;
  /** Of the event, a decimal. */
  readonly amount: string;
  readonly currency: string;
  readonly verdict: 'cause' | 'rejected' | 'none' | 'skipped';
  /** The decision that is the cause, or is not. */
  readonly decision_id?: string;
  /** The links whose deletion takes the answer back. After none and skipped, the answer itself is withdrawn as well. */
  readonly links: readonly string[];
  /** The author: the id of a key, or the name and id of a session. */
  readonly actor: string;
  /** Whether the caller gave it, in any session. */
  readonly is_own: boolean;
  readonly answered_at: Timestamp;
}

export interface GivenAnswerPage extends Page {
  readonly answers: readonly GivenAnswer[];
  /** What was decided in the range, by the caller and by everybody. */
  readonly decided: {
    readonly own: Decided;
    readonly all: Decided;
  };
  readonly open: {
    /** Number of open reviews. */
    readonly reviews: number;
    /** Sum of their amounts without sign, in the base currency: a decimal. */
    readonly amount: string;
    /** The base currency. */
    readonly currency: string;
    /** Open reviews that the sum lacks, because there is no rate for their currency. */
    readonly unconverted: number;
    /** Whether events wait to be scored: the list may still change by itself. */
    readonly is_scoring: boolean;
  };
}

export interface GivenAnswerQuery extends PageQuery, RangeQuery {
  /** true: only answers of the caller. */
  readonly own?: boolean;
}
