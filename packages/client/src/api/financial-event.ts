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

export interface FinancialEventPage extends Page {
  readonly financial_events: readonly FinancialEvent[];
}

export interface FinancialEventQuery extends PageQuery, RangeQuery {
  /** Only events of this source. */
  readonly source?: string;
  /** Only events of this type. */
  readonly event_type?: string;
  /** Only events with this reference. */
  readonly external_id?: string;
  /** Only events in this currency. */
  readonly currency?: string;
  /** Include soft-deleted and superseded events. Default: false. */
  readonly include_deleted?: boolean;
  /** Only events of sources without signs whose type no row knows. */
  readonly unclassified?: boolean;
}
