// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Permission, Timestamp } from './shared.js';

export interface Session {
  readonly session_id: string;
  /** The person. */
  readonly name: string;
  /** The key that opened the session. */
  readonly key_id: string;
  readonly mode: 'live' | 'test';
  readonly permissions: readonly Permission[];
  readonly created_at: Timestamp;
  readonly expires_at: Timestamp;
  readonly revoked_at: string | null;
}

export interface SessionBody {
  /** The person who uses the session; recorded with what they change. */
  readonly name: string;
  readonly permissions?: readonly Permission[];
}

export interface OpenedSession extends Session {
  readonly token: string;
}

export interface SessionPage extends Page {
  readonly sessions: readonly Session[];
}

export type SessionQuery = PageQuery;
