import { type Static, Type } from 'typebox';
import {
  Hash,
  Id,
  JsonObject,
  Name,
  NextCursor,
  PageParameters,
  RangeParameters,
  Timestamp,
} from './shared.js';

/** One change that evidence depends on: the actor, the action and its subject, in a hash chain. */
export const Activity = Type.Object({
  activity_id: Id('act'),
  seq: Type.Integer({ minimum: 1 }),
  type: Type.String({ description: 'The kind of change, such as key.issued.' }),
  actor: Type.String({
    description:
      'The author: the id of a key, the name and id of a session such as `Ada (ses_…)`, `operator` for ' +
      'the command line, or `engine`.',
  }),
  subject: Type.String({ description: 'The object that was changed.' }),
  data: Type.Optional(JsonObject),
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
});
export type Activity = Static<typeof Activity>;

export const ActivityPage = Type.Object({
  activity: Type.Array(Activity),
  next_cursor: NextCursor,
});
export type ActivityPage = Static<typeof ActivityPage>;

export const ActivityQuery = Type.Object(
  {
    type: Type.Optional(Name('Only this kind of change.')),
    subject: Type.Optional(Name('Only changes of this subject.')),
    ...RangeParameters,
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type ActivityQuery = Static<typeof ActivityQuery>;
