import {
  DeadJobPage,
  DeadJobQuery,
  FollowerList,
  RetriedJob,
} from '@decision-ledger/contract/operations';
import { IdParams } from '@decision-ledger/contract/shared';
import { change, type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byPlace } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Follower } from '../../../platform/followers/follower.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { listDeadJobs, retryDeadJob } from './dead.js';
import { listFollowers, listInbox } from './followers.js';

export interface JobRouteTools extends EndpointTools {
  readonly jobs: JobQueue;
  readonly followers: readonly Follower[];
  /** The names of the queues whose jobs bring records. */
  readonly inboxQueues: readonly string[];
}

const tag = 'jobs';

export function jobRoutes(app: Http, tools: JobRouteTools): void {
  read(app, tools, {
    path: '/followers',
    config: { permission: 'admin' },
    tag,
    operationId: 'listFollowers',
    summary: 'List followers and how far behind they are, and what is not recorded yet',
    data: FollowerList,
    answer: async ({ ledger }) => ({
      // Read first: what leaves the inbox meanwhile is in the followers.
      inbox: await listInbox(ledger, tools.inboxQueues),
      followers: await listFollowers(ledger, tools.followers),
    }),
  });
  list(app, tools, {
    path: '/jobs/dead',
    config: { permission: 'admin' },
    tag,
    operationId: 'listDeadJobs',
    summary: 'List jobs that failed permanently, newest first',
    query: DeadJobQuery,
    data: DeadJobPage,
    key: byPlace,
    fetch: ({ ledger }, { after, limit }) => {
      const last = after === null ? null : { failedAt: after.at, id: after.id };
      return listDeadJobs(ledger, last, limit);
    },
    keyOf: ({ position }) => ({ at: position.failedAt, id: position.id }),
    show: ({ items, next_cursor }) => ({ jobs: items.map(({ job }) => job), next_cursor }),
  });
  change(app, tools, {
    method: 'POST',
    path: '/jobs/:id/retry',
    config: { permission: 'admin', bucket: 'ingest' },
    tag,
    operationId: 'retryJob',
    summary: 'Retry a job that failed permanently',
    params: IdParams,
    data: RetriedJob,
    answer: ({ ledger, params }) => retryDeadJob(ledger, tools.jobs, params.id),
  });
}
