// Generated from the contract by scripts/client-types.js.

import type { RateLimits } from './settings-forms.js';
import type { Page, PageQuery, Permission, Timestamp } from './shared.js';

export interface KeyBody {
  /** The purpose of the key. */
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** The agents whose decisions the key may record. Only for a key with the permission `record` alone. */
  readonly agents?: readonly string[];
  /** When the key expires: in the future. Default: never. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly expires_at?: string;
}

export interface Key {
  readonly key_id: string;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly permissions: readonly Permission[];
  /** The agents whose decisions it may record. Null: it has no such limit. */
  readonly agents: readonly string[] | null;
  readonly created_at: Timestamp;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export interface IssuedKey extends Key {
  readonly key: string;
}

export interface KeyPage extends Page {
  readonly keys: readonly Key[];
}

export type KeyQuery = PageQuery;

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

export interface Me {
  readonly organisation: {
    readonly org_id: string;
    readonly name: string;
  };
  readonly ledger_id: string;
  readonly mode: 'live' | 'test';
  readonly permissions: readonly Permission[];
  /** The key of the request, or the one that opened the session. */
  readonly key: {
    readonly key_id: string;
    readonly name: string;
    readonly expires_at: string | null;
  };
  /** Null for a request with a key. */
  readonly session: {
    readonly session_id: string;
    /** The person. */
    readonly name: string;
    readonly expires_at: Timestamp;
  } | null;
  readonly limits: {
    readonly rate_limits: RateLimits;
    /** The largest body. */
    readonly body_bytes: number;
    /** The largest body of a batch. */
    readonly batch_body_bytes: number;
    /** The most decisions in a batch. */
    readonly batch_decisions: number;
    /** The most bytes of each of inputs, outputs, alternatives and metadata, as canonical JSON. */
    readonly payload_field_bytes: number;
    /** The largest page of a list. */
    readonly page_max: number;
  };
}
