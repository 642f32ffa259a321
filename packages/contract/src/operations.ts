import { type Static, Type } from 'typebox';
import { Id, JsonObject, NextCursor, PageParameters, Timestamp } from './shared.js';

/** The version of the interface specification that the API implements. */
export const INTERFACE_VERSION = '0.14.0';

export const Version = Type.Object({
  version: Type.String({ description: 'The release that is running.' }),
  interface: Type.String({
    description: 'The version of the interface specification that the API implements.',
  }),
});
export const Health = Type.Object({ status: Type.Literal('ok') });

/** A job that failed on its last try. */
export const DeadJob = Type.Object({
  job_id: Id('job'),
  queue: Type.String({ description: 'The queue, which names the kind of job.' }),
  data: JsonObject,
  error: Type.String({ description: 'Error of the last try.' }),
  tries: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  failed_at: Timestamp,
});
export type DeadJob = Static<typeof DeadJob>;

export const DeadJobPage = Type.Object({ jobs: Type.Array(DeadJob), next_cursor: NextCursor });
export type DeadJobPage = Static<typeof DeadJobPage>;

export const DeadJobQuery = Type.Object({ ...PageParameters }, { additionalProperties: false });
export type DeadJobQuery = Static<typeof DeadJobQuery>;

/** The answer to POST /jobs/{id}/retry. */
export const RetriedJob = Type.Object({ job_id: Id('job'), queue: Type.String() });
export type RetriedJob = Static<typeof RetriedJob>;

/**
 * What a follower makes of the records. A projection writes rows that follow from them and can be made again; a
 * recorder writes chained records, and never twice; a delivery sends, at least once.
 */
export const FOLLOWER_KINDS = ['projection', 'recorder', 'delivery'] as const;
export type FollowerKind = (typeof FOLLOWER_KINDS)[number];

const FollowedLog = Type.Enum(['decisions', 'activity']);

/** How far a follower is in one log. */
export const FollowerLog = Type.Object({
  log: FollowedLog,
  position: Type.Integer({ minimum: 0, description: 'The last record that was taken.' }),
  head: Type.Integer({ minimum: 0, description: 'The last record of the log.' }),
  lag_records: Type.Integer({ minimum: 0 }),
  lag_seconds: Type.Number({
    minimum: 0,
    description: 'Age of the first record that was not taken; 0 if there is none.',
  }),
});
export type FollowerLog = Static<typeof FollowerLog>;

/** Work that is not in the order of a log: other transactions make subjects due. */
export const FollowerDue = Type.Object({
  waiting: Type.Integer({ minimum: 0, description: 'Subjects that are due, up to 100000.' }),
  lag_seconds: Type.Number({
    minimum: 0,
    description: 'How long the first of them has been due; 0 if there is none.',
  }),
});
export type FollowerDue = Static<typeof FollowerDue>;

/** What a follower with due work could not do something about. */
export const FailedSubject = Type.Union([Type.String(), Type.Null()], {
  description: 'Id of what was due, such as that of a financial event; null for a record.',
});

/** A record that a follower could not take, or a subject that was due. */
export const FollowerFailure = Type.Object({
  log: Type.Union([FollowedLog, Type.Null()], { description: 'Null for a subject.' }),
  seq: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  subject: FailedSubject,
  reason: Type.String({
    description: 'Error of the first try, or of the last one if it is repeated.',
  }),
  failed_at: Timestamp,
  retry_at: Type.Union([Timestamp, Type.Null()], {
    description:
      'When the follower tries again: it has stopped before the record, or set the subject aside. Null if it has passed over the record.',
  }),
});
export type FollowerFailure = Static<typeof FollowerFailure>;

/** What keeps something up to date with the records of the ledger. */
export const Follower = Type.Object({
  name: Type.String(),
  kind: Type.Enum([...FOLLOWER_KINDS]),
  logs: Type.Array(FollowerLog),
  due: Type.Union([FollowerDue, Type.Null()], { description: 'Null if it follows logs.' }),
  failures: Type.Integer({
    minimum: 0,
    description: 'Records or subjects that could not be taken.',
  }),
  failed_records: Type.Array(FollowerFailure, {
    maxItems: 100,
    description: 'The last of them, newest first.',
  }),
});
export type Follower = Static<typeof Follower>;

/** Jobs that were accepted and are not done: followers know of what they do only afterwards. */
export const PendingJobs = Type.Object({
  queue: Type.String({
    description:
      'stripe-object: objects of which webhook events were received. accounting-poll: connections that are polled.',
  }),
  waiting: Type.Integer({ minimum: 0, description: 'Waiting and running ones, up to 100000.' }),
  lag_seconds: Type.Number({
    minimum: 0,
    description: 'How long the first of them has waited; 0 if there is none.',
  }),
  failed: Type.Integer({
    minimum: 0,
    description: 'Those of GET /jobs/dead, up to 100000, which wait until they are retried.',
  }),
});
export type PendingJobs = Static<typeof PendingJobs>;

export const FollowerList = Type.Object({
  followers: Type.Array(Follower),
  inbox: Type.Array(PendingJobs, {
    description:
      'What was accepted and is not recorded yet. Figures are complete when it is empty, and no follower is behind.',
  }),
});
export type FollowerList = Static<typeof FollowerList>;
