// Generated from the contract by scripts/client-types.js.

export interface SigningKey {
  /** SHA-256 of the SubjectPublicKeyInfo in DER, in lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly algorithm: string;
  /** PEM. */
  readonly public_key: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  /** Null for the current key. */
  readonly retired_at: string | null;
}

export interface SigningKeyPage {
  /** Newest first; empty before the first export. */
  readonly signing_keys: readonly SigningKey[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface SigningKeyQuery {
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}
