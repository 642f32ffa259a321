// Generated from the contract by scripts/client-types.js.

import type { JsonObject } from './shared.js';

export interface Activity {
  readonly activity_id: string;
  readonly seq: number;
  /** The kind of change, such as key.issued. */
  readonly type: string;
  /** The author: the id of a key, the name and id of a session such as `Ada (ses_…)`, `operator` for the command line, or `engine`. */
  readonly actor: string;
  /** The object that was changed. */
  readonly subject: string;
  readonly data?: JsonObject;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly created_at: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly hash: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly prev_hash: string;
}

export interface ActivityPage {
  readonly activity: readonly Activity[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface ActivityQuery {
  /** Only this kind of change. */
  readonly type?: string;
  /** Only changes of this subject. */
  readonly subject?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly start?: string;
  /** A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be after the end. */
  readonly end?: string;
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}
