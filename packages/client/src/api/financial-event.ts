// Generated from the contract by scripts/client-types.js.

import type { JsonObject } from './shared.js';

export interface FinancialEventBody {
  /** The system that the event comes from, such as billing. */
  readonly source: string;
  /** The kind of event, such as payment or refund. */
  readonly event_type: string;
  /** A decimal: at most 20 digits before the point and 12 after it. */
  readonly amount: string;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The caller's own reference. */
  readonly external_id?: string;
  /** When it happened. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly timestamp: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
}

export interface FinancialEvent {
  readonly id: string;
  readonly source: string;
  readonly event_type: string;
  readonly amount: string;
  readonly currency: string;
  readonly external_id?: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly timestamp: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
  readonly supersedes?: string;
  readonly superseded_by?: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  readonly deleted_at: string | null;
}

export interface FinancialEventPage {
  readonly financial_events: readonly FinancialEvent[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface FinancialEventQuery {
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
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}
