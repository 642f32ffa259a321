// Generated from the contract by scripts/client-types.js.

export interface Session {
  readonly session_id: string;
  /** The person. */
  readonly name: string;
  /** The key that opened the session. */
  readonly key_id: string;
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
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly expires_at: string;
  readonly revoked_at: string | null;
}

export interface SessionBody {
  /** The person who uses the session; recorded with what they change. */
  readonly name: string;
  readonly permissions?: readonly (
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
}

export interface OpenedSession {
  readonly session_id: string;
  /** The person. */
  readonly name: string;
  /** The key that opened the session. */
  readonly key_id: string;
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
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly token: string;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface SessionQuery {
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}
