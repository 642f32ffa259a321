// Generated from the contract by scripts/client-types.js.

export interface KeyBody {
  /** The purpose of the key. */
  readonly name: string;
  readonly permissions: readonly (
    | 'ingest'
    | 'read'
    | 'review'
    | 'export'
    | 'stream'
    | 'webhook'
    | 'erase'
    | 'manage'
    | 'admin'
  )[];
  /** When the key expires: in the future. Default: never. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly expires_at?: string;
}

export interface Key {
  readonly key_id: string;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly permissions: readonly (
    | 'ingest'
    | 'read'
    | 'review'
    | 'export'
    | 'stream'
    | 'webhook'
    | 'erase'
    | 'manage'
    | 'admin'
  )[];
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export interface IssuedKey {
  readonly key_id: string;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly permissions: readonly (
    | 'ingest'
    | 'read'
    | 'review'
    | 'export'
    | 'stream'
    | 'webhook'
    | 'erase'
    | 'manage'
    | 'admin'
  )[];
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly key: string;
}

export interface KeyPage {
  readonly keys: readonly Key[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface KeyQuery {
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}
