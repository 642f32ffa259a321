import type { JobBoard } from '../../../platform/jobs/board.js';
import { type PollTools, pollConnection } from './poll.js';
import { ACCOUNTING_POLLS } from './queue.js';

export async function accountingJobs(jobs: JobBoard, tools: PollTools): Promise<void> {
  await jobs.work(ACCOUNTING_POLLS, (scope, { connection_id }) =>
    pollConnection(tools, scope, connection_id),
  );
}
