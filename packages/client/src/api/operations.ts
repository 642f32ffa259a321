// Generated from the contract by scripts/client-types.js.

import type { CurrencyAmount } from './analytics-figures.js';
import type { Page, PageQuery, Timestamp } from './shared.js';

export interface WithheldPlan {
  /** What a release names. */
  readonly plan: string;
  readonly since: Timestamp;
  /** deletions: more than a tenth of the events, and at least three. month: all events of a month. confirmed: an event with a link that a person made or confirmed. sums: more than a tenth of the money of a currency. */
  readonly reasons: readonly ('deletions' | 'month' | 'confirmed' | 'sums')[];
  /** Events that would be deleted. */
  readonly deleted: number;
  /** Events that would be superseded. */
  readonly changed: number;
  /** Deleted ones with a link that a person made or confirmed. */
  readonly confirmed: number;
  /** Months that would be empty, as YYYY-MM. */
  readonly months: readonly string[];
  /** Sums of the connection, for each currency whose sum would change. */
  readonly sums: readonly {
    readonly currency: string;
    /** The sum of the recorded events. */
    readonly before: string;
    /** The sum after the deletions and changes. */
    readonly after: string;
  }[];
  /** New records that are not recorded yet, because they may be edits of deleted ones. */
  readonly held_back: number;
  /** Polls in a row that found the same. */
  readonly polls: number;
  /** The first 20 events. */
  readonly items: readonly (CurrencyAmount & {
    readonly change: 'deleted' | 'changed';
    readonly event: string;
    readonly description: string | null;
  })[];
  /** Whether the next poll that finds the same applies it. */
  readonly is_released: boolean;
}

export interface ConnectionState {
  readonly id: string;
  readonly kind: 'hledger' | 'quickbooks' | 'stripe';
  /** Null before the first poll. */
  readonly polled_at: string | null;
  /** Why the last poll failed, or what it could not import; null if it succeeded. */
  readonly problem: string | null;
  /** Records that the last poll could not import, or not assign for certain. */
  readonly problem_count: number;
  /** Deletions and changes that the last poll found and did not apply; null if there are none. */
  readonly withheld: WithheldPlan | null;
  /** Whether a poll is queued, running, or waiting for a retry. */
  readonly is_poll_pending: boolean;
}

export interface ConnectionStates {
  readonly connections: readonly ConnectionState[];
}

export interface PlanRelease {
  /** The plan that is withheld. */
  readonly plan: string;
}

export interface PendingJobs {
  /** stripe-object: objects of which webhook events were received. accounting-poll: connections that are polled. */
  readonly queue: string;
  /** Waiting and running ones, up to 100000. */
  readonly waiting: number;
  /** How long the first of them has waited; 0 if there is none. */
  readonly lag_seconds: number;
  /** Those of GET /jobs/dead, up to 100000, which wait until they are retried. */
  readonly failed: number;
}

export interface FollowerLog {
  readonly log: 'decisions' | 'activity';
  /** The last record that was taken. */
  readonly position: number;
  /** The last record of the log. */
  readonly head: number;
  readonly lag_records: number;
  /** Age of the first record that was not taken; 0 if there is none. */
  readonly lag_seconds: number;
}

export interface FollowerDue {
  /** Subjects that are due, up to 100000. */
  readonly waiting: number;
  /** How long the first of them has been due; 0 if there is none. */
  readonly lag_seconds: number;
}

export interface FollowerFailure {
  /** Null for a subject. */
  readonly log: 'decisions' | 'activity' | null;
  readonly seq: number | null;
  /** Id of what was due, such as that of a financial event; null for a record. */
  readonly subject: string | null;
  /** Error of the first try, or of the last one if it is repeated. */
  readonly reason: string;
  readonly failed_at: Timestamp;
  /** When the follower tries again: it has stopped before the record, or set the subject aside. Null if it has passed over the record. */
  readonly retry_at: string | null;
}

export interface Follower {
  readonly name: string;
  readonly kind: 'projection' | 'recorder' | 'delivery';
  readonly logs: readonly FollowerLog[];
  /** Null if it follows logs. */
  readonly due: FollowerDue | null;
  /** Records or subjects that could not be taken. */
  readonly failures: number;
  /** The last of them, newest first. */
  readonly failed_records: readonly FollowerFailure[];
}

export interface FollowerList {
  readonly followers: readonly Follower[];
  /** What was accepted and is not recorded yet. Figures are complete when it is empty, and no follower is behind. */
  readonly inbox: readonly PendingJobs[];
}

export interface DeadJob {
  readonly job_id: string;
  /** The queue, which names the kind of job. */
  readonly queue: string;
  readonly data: { readonly [name: string]: unknown };
  /** Error of the last try. */
  readonly error: string;
  readonly tries: number;
  readonly created_at: Timestamp;
  readonly failed_at: Timestamp;
}

export interface DeadJobPage extends Page {
  readonly jobs: readonly DeadJob[];
}

export type DeadJobQuery = PageQuery;

export interface RetriedJob {
  readonly job_id: string;
  readonly queue: string;
}

export interface Version {
  /** The release that is running. */
  readonly version: string;
  /** The version of the interface specification that the API implements. */
  readonly interface: string;
}

export interface StreamTicket {
  /** Valid for one connection, as the query parameter `ticket`. */
  readonly ticket: string;
  readonly expires_at: Timestamp;
}

export interface SpanAttribute {
  /** A place as rules name it: an attribute, or one with `resource:` or `event:` and the name of the event before it. Its beginning, if it is long. */
  readonly name: string;
  /** What it held. `json`: a text that begins as an object or a list in JSON does. */
  readonly type: 'text' | 'json' | 'number' | 'boolean' | 'list' | 'object' | 'null';
}

export interface SpanGroup {
  readonly signal: 'traces' | 'metrics' | 'logs';
  readonly scope: string | null;
  readonly scope_version: string | null;
  readonly taken_by: string | null;
  readonly result: 'recorded' | 'ignored' | 'refused';
  readonly reason:
    | 'no_rule'
    | 'no_content'
    | 'no_mapping'
    | 'not_recorded'
    | 'unreadable'
    | 'ids'
    | 'agent_id'
    | 'action_type'
    | 'payload'
    | 'confidence'
    | 'human_in_loop'
    | 'timestamp'
    | 'recorded_before'
    | 'too_late'
    | 'not_accepted'
    | null;
  /** Spans since `since`; requests for `no_mapping` and `not_recorded`, which are not read. */
  readonly count: number;
  readonly first_at: Timestamp;
  readonly last_at: Timestamp;
  /** Names and types, the first in their order. Values are not kept. */
  readonly attributes: readonly SpanAttribute[];
}

export interface SpanGroups {
  readonly since: Timestamp;
  /** The last to arrive first. At most 200 have a scope: what comes beyond them is counted by result and reason, with the scope null. */
  readonly groups: readonly SpanGroup[];
}
