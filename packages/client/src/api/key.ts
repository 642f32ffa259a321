// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Permission, Timestamp } from './shared.js';

export interface KeyBody {
  /** The purpose of the key. */
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** When the key expires: in the future. Default: never. RFC 3339, from year 0001 to 9999 in UTC, without leap seconds. */
  readonly expires_at?: string;
}

export interface Key {
  readonly key_id: string;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly permissions: readonly Permission[];
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
