// Generated from the contract by scripts/client-types.js.

export type JsonObject = { readonly [name: string]: unknown };

/** RFC 3339 date-time. Answers are UTC with milliseconds. */
export type Timestamp = string;

/** SHA-256 in lower-case hexadecimal. */
export type Hash = string;

export interface PageQuery {
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}

export interface Page {
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface RangeQuery {
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
}

export type Permission =
  | 'ingest'
  | 'record'
  | 'read'
  | 'review'
  | 'export'
  | 'stream'
  | 'webhook'
  | 'erase'
  | 'manage'
  | 'admin';
