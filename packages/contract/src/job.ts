import { type Static, Type } from 'typebox';
import { Id, JsonObject, NextCursor, PageParameters, Timestamp } from './shared.js';

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
