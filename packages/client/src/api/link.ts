// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Timestamp } from './shared.js';

export interface LinkBody {
  /** A decision of this ledger. */
  readonly decision_id: string;
  /** A financial event of this ledger. */
  readonly financial_event_id: string;
  /** Share of the event that the decision caused, 0 to 1. */
  readonly correlation_strength: number;
  /** The kind of money that the decision moved. */
  readonly link_type: 'revenue' | 'cost' | 'loss' | 'refund' | 'saving';
  /** Whether money came back: a `cost`, `refund` or `loss` that is taken back, such as a dispute that was won. Only for these three. */
  readonly reversal?: boolean;
  readonly attribution_method: 'direct' | 'manual';
  readonly notes?: string;
}

export interface LinkConfirmation {
  /** The share of the event that the decision caused. Default: all that links which people created or confirmed leave. */
  readonly strength?: number;
  /** The person who reviewed; recorded as self-declared. Only with a key: a session names its person. */
  readonly reviewer?: string;
}

export interface LinkScore {
  /** Version of the model. */
  readonly version: 'attribution/v1';
  /** The model of this ledger, as in attribution.model_changed. */
  readonly model: number;
  /** Probability that the decision is the cause if no other candidate existed. */
  readonly probability: number;
  /** Share of the event, in competition with the other candidates and with none. */
  readonly share: number;
  /** Share of "no recorded decision". */
  readonly none_share: number;
  /** Share of the event that links of people leave. All shares sum to it. */
  readonly left_share: number;
  /** Number of candidate decisions. */
  readonly candidates: number;
  /** The highest-ranked other candidates, suggested or not. */
  readonly rivals: readonly {
    readonly decision_id: string;
    readonly share: number;
    readonly probability: number;
  }[];
  /** The value of each feature; one that is missing is 0. */
  readonly features: {
    readonly [name: string]: number;
  };
  /** Feature × weight. They sum to the log-odds of the decision against "no recorded decision". */
  readonly evidence: {
    readonly [name: string]: number;
  };
}

export interface Link {
  readonly id: string;
  readonly decision_id: string;
  readonly financial_event_id: string;
  /** Share of the event that the decision caused, 0 to 1. */
  readonly correlation_strength: number;
  /** The kind of money that the decision moved. */
  readonly link_type: 'revenue' | 'cost' | 'loss' | 'refund' | 'saving';
  /** Whether money came back: a `cost`, `refund` or `loss` that is taken back, such as a dispute that was won. Only for these three. */
  readonly reversal: boolean;
  readonly attribution_method: 'direct' | 'manual' | 'probabilistic' | 'inherited';
  /** CONFIRMED: created by a caller. ML_SUGGESTED: suggested by the model, not yet reviewed. ML_INFERRED: suggested or inherited, and confirmed. REJECTED: suggested or inherited, and rejected. INHERITED: of a refund or another reversal, taken from its payment. */
  readonly status: 'CONFIRMED' | 'ML_SUGGESTED' | 'ML_INFERRED' | 'REJECTED' | 'INHERITED';
  /** How certain the cause is. Null for a rejected or deleted link. */
  readonly label: 'confirmed' | 'matched' | 'guessed' | null;
  readonly notes?: string;
  readonly score?: LinkScore;
  /** Of a link that is or was inherited: the event that led the payment. */
  readonly inherited_from?: string;
  readonly created_by: string;
  readonly created_at: Timestamp;
  readonly reviewed_by?: string;
  readonly reviewed_at?: Timestamp;
  readonly deleted_at: string | null;
}

export interface LinkInDetail extends Link {
  /** The evidence for a suggestion, step by step. */
  readonly waterfall?: readonly {
    readonly evidence: string;
    /** Contribution of this step. */
    readonly log_odds: number;
    /** Probability after this step. */
    readonly probability: number;
  }[];
  /** Other active links of the same event, newest first: at most one page of GET /links. */
  readonly other_links: readonly Link[];
  /** The cursor that continues the list with GET /links?financial_event_id={id}. Null if the list is complete. */
  readonly other_links_next_cursor: string | null;
}

export interface LinkPage extends Page {
  readonly links: readonly Link[];
}

export interface LinkQuery extends PageQuery {
  /** Only links of this decision. */
  readonly decision_id?: string;
  /** Only links of this event. */
  readonly financial_event_id?: string;
  /** CONFIRMED: created by a caller. ML_SUGGESTED: suggested by the model, not yet reviewed. ML_INFERRED: suggested or inherited, and confirmed. REJECTED: suggested or inherited, and rejected. INHERITED: of a refund or another reversal, taken from its payment. */
  readonly status?: 'CONFIRMED' | 'ML_SUGGESTED' | 'ML_INFERRED' | 'REJECTED' | 'INHERITED';
  /** Share of the event that the decision caused, 0 to 1. */
  readonly min_strength?: number;
  /** Include soft-deleted links. Default: false. */
  readonly include_deleted?: boolean;
}

export interface LinkRejection {
  /** The person who reviewed; recorded as self-declared. Only with a key: a session names its person. */
  readonly reviewer?: string;
}

export interface ReviewedLink extends Link {
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

export interface MadeLink extends ReviewedLink {
  /** Only with dry_run=true: the active links of the event as they would be. */
  readonly event_links?: readonly Link[];
}
