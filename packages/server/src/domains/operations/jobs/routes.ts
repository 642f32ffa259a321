import {
  DeadJobPage,
  DeadJobQuery,
  FollowerList,
  RetriedJob,
} from '@decision-ledger/contract/operations';
import { IdParams, success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import type { Follower } from '../../../platform/followers/follower.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { listDeadJobs, retryDeadJob } from './dead.js';
import { listFollowers } from './followers.js';
import type { DeadJobPagePosition } from './store/dead-jobs.js';

export interface JobRouteTools {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly followers: readonly Follower[];
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

const tags = ['jobs'];

export function jobRoutes(app: Http, tools: JobRouteTools): void {
  const { db, jobs, cursors, wrap, followers } = tools;
  app.get(
    '/followers',
    {
      config: { permission: 'admin', bucket: 'read' },
      schema: {
        tags,
        operationId: 'listFollowers',
        summary: 'List followers and how far behind they are',
        response: { 200: success(FollowerList) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      return wrap(request, { followers: await listFollowers(db.ledger(scope), followers) });
    },
  );
  app.get(
    '/jobs/dead',
    {
      config: { permission: 'admin', bucket: 'read' },
      schema: {
        tags,
        operationId: 'listDeadJobs',
        summary: 'List jobs that failed permanently, newest first',
        querystring: DeadJobQuery,
        response: { 200: success(DeadJobPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const page = await readPage(cursors, {
        list: 'dead-jobs',
        scope,
        query: request.query,
        fetch: (after, limit) => listDeadJobs(ledger, readPosition(after), limit),
        position: ({ position }) => [String(position.failedAt), position.id],
      });
      return wrap(request, {
        jobs: page.items.map(({ job }) => job),
        next_cursor: page.nextCursor,
      });
    },
  );
  app.post(
    '/jobs/:id/retry',
    {
      config: { permission: 'admin', bucket: 'ingest' },
      schema: {
        tags,
        operationId: 'retryJob',
        summary: 'Retry a job that failed permanently',
        params: IdParams,
        response: { 200: success(RetriedJob) },
      },
    },
    async (request) => {
      const ledger = db.ledger(callerOf(request).scope);
      return wrap(request, await retryDeadJob(ledger, jobs, request.params.id));
    },
  );
}

function readPosition(after: readonly string[] | null): DeadJobPagePosition | null {
  const [failedAt, id] = after ?? [];
  if (failedAt === undefined || id === undefined) return null;
  return { failedAt: Number(failedAt), id };
}
