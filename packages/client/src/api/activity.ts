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
