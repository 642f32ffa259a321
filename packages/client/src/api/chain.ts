// Generated from the contract by scripts/client-types.js.

import type { Hash, Page, PageQuery, RangeQuery, Timestamp } from './shared.js';

export interface Activity {
  readonly activity_id: string;
  readonly seq: number;
  /** The kind of change, such as key.issued. */
  readonly type: string;
  /** The author: the id of a key, the name and id of a session such as `Ada (ses_…)`, `operator` for the command line, or `engine`. */
  readonly actor: string;
  /** The object that was changed. */
  readonly subject: string;
  readonly data?: { readonly [name: string]: unknown };
  readonly created_at: Timestamp;
  readonly hash: Hash;
  readonly prev_hash: Hash;
}

export interface ActivityPage extends Page {
  readonly activity: readonly Activity[];
}

export interface ActivityQuery extends PageQuery, RangeQuery {
  /** Only this kind of change. */
  readonly type?: string;
  /** Only changes of this subject. */
  readonly subject?: string;
}

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
  /** The database server whose records were checked. A break that a replica shows is looked for on the primary. */
  readonly read_from: 'primary' | 'replica';
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
  /** The database server whose records were checked. A break that a replica shows is looked for on the primary. */
  readonly read_from: 'primary' | 'replica';
  /** The tables compared with the chain; null with a range of time, and for a chain that is broken. */
  readonly reconciliation: {
    /** Whether there is no finding. */
    readonly is_reconciled: boolean;
    /** The end of the activity chain when the comparison began. */
    readonly activity_seq: number;
    readonly rows_checked: number;
    /** All findings, also those that are not listed. */
    readonly findings_count: number;
    /** The first 100. */
    readonly findings: readonly {
      /** missing_row: the chain records an object without a row. unexpected_row: no record explains the row. changed_row: a column differs from the records. changed_sum: a derived figure differs from what it is made of. */
      readonly kind: 'missing_row' | 'unexpected_row' | 'changed_row' | 'changed_sum';
      readonly table: string;
      /** The id of the row, or what identifies it in its table. */
      readonly key: string;
      /** Null if the finding is about the whole row. */
      readonly column: string | null;
      /** According to the chain, as JSON; the SHA-256 of a long or secret value. */
      readonly expected: string | null;
      /** In the table, in the same form. */
      readonly actual: string | null;
    }[];
    /** Columns of rows that nothing proves: neither right nor wrong. */
    readonly unproven: readonly {
      readonly table: string;
      readonly column: string;
      readonly rows: number;
    }[];
    /** Rows that cannot be compared at present. */
    readonly skipped: readonly {
      readonly table: string;
      readonly rows: number;
      readonly reason: string;
    }[];
  } | null;
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
