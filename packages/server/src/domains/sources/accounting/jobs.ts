import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { type PollTools, pollConnection } from './poll.js';
import { ACCOUNTING_POLLS } from './queue.js';

export async function accountingJobs(jobs: JobQueue, tools: PollTools): Promise<void> {
  await jobs.work(ACCOUNTING_POLLS, (ledger, { connection_id }) =>
    pollConnection(ledger, tools, connection_id),
  );
}
