// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Timestamp } from './shared.js';

export interface SigningKey {
  /** SHA-256 of the SubjectPublicKeyInfo in DER, in lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly algorithm: string;
  /** PEM. */
  readonly public_key: string;
  readonly created_at: Timestamp;
  /** Null for the current key. */
  readonly retired_at: string | null;
}

export interface SigningKeyPage extends Page {
  /** Newest first; empty before the first export. */
  readonly signing_keys: readonly SigningKey[];
}

export type SigningKeyQuery = PageQuery;
