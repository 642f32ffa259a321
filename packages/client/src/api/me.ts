// Generated from the contract by scripts/client-types.js.

import type { RateLimits } from './settings-forms.js';
import type { Permission, Timestamp } from './shared.js';

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
