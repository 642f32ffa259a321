import { type Static, Type } from 'typebox';
import { Timestamp } from './shared.js';

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

/** A record that a follower could not take. */
export const FollowerFailure = Type.Object({
  log: FollowedLog,
  seq: Type.Integer({ minimum: 1 }),
  reason: Type.String({
    description: 'Error of the first try, or of the last one if it is repeated.',
  }),
  failed_at: Timestamp,
  retry_at: Type.Union([Timestamp, Type.Null()], {
    description:
      'When the follower, which has stopped there, tries again; null if it has passed over the record.',
  }),
});
export type FollowerFailure = Static<typeof FollowerFailure>;

/** What keeps something up to date with the records of the ledger. */
export const Follower = Type.Object({
  name: Type.String(),
  kind: Type.Enum([...FOLLOWER_KINDS]),
  logs: Type.Array(FollowerLog),
  failures: Type.Integer({ minimum: 0, description: 'Records that could not be taken.' }),
  failed_records: Type.Array(FollowerFailure, {
    maxItems: 100,
    description: 'The last of them, newest first.',
  }),
});
export type Follower = Static<typeof Follower>;

export const FollowerList = Type.Object({ followers: Type.Array(Follower) });
export type FollowerList = Static<typeof FollowerList>;
