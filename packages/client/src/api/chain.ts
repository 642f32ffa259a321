// Generated from the contract by scripts/client-types.js.

import type { Timestamp } from './shared.js';

export interface ChainVerificationQuery {
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start_date?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end_date?: string;
  /** The seq of a known receipt; required with expect_hash. */
  readonly expect_seq?: number;
  /** The hash of that record; required with expect_seq. */
  readonly expect_hash?: string;
}

export interface DecisionChainVerification {
  readonly is_valid: boolean;
  readonly records_checked: number;
  readonly first_broken_link: {
    readonly seq: number;
    readonly decision_id: string | null;
    readonly kind: 'content' | 'commitment' | 'column' | 'link' | 'gap' | 'head';
    readonly expected: string | number | null;
    readonly actual: string | number | null;
    readonly detail?: string;
  } | null;
  readonly verification_timestamp: Timestamp;
  readonly erased_fields: number;
  /** The last record that was checked: an anchor for expect_seq and expect_hash. */
  readonly head: {
    readonly seq: number;
    readonly hash: string;
  };
}

export interface ActivityChainVerification {
  readonly is_valid: boolean;
  readonly records_checked: number;
  readonly first_broken_link: {
    readonly seq: number;
    readonly activity_id: string | null;
    readonly kind: 'content' | 'commitment' | 'column' | 'link' | 'gap' | 'head';
    readonly expected: string | number | null;
    readonly actual: string | number | null;
    readonly detail?: string;
  } | null;
  readonly verification_timestamp: Timestamp;
  readonly erased_fields: number;
  /** The last record that was checked: an anchor for expect_seq and expect_hash. */
  readonly head: {
    readonly seq: number;
    readonly hash: string;
  };
}

export interface LastVerification {
  readonly is_valid: boolean;
  readonly records_checked: number;
  readonly verification_timestamp: Timestamp;
  readonly erased_fields: number;
  /** The last record that was checked: an anchor for expect_seq and expect_hash. */
  readonly head: {
    readonly seq: number;
    readonly hash: string;
  };
}

export interface LastVerifications {
  readonly decisions: LastVerification | null;
  readonly activity: LastVerification | null;
}
