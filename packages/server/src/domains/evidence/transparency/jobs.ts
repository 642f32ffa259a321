import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { LOG_REBUILDS } from './queue.js';
import { rebuildLogs } from './rebuild.js';

export async function transparencyJobs(jobs: JobQueue): Promise<void> {
  await jobs.work(LOG_REBUILDS, (ledger, _data, signal) => rebuildLogs(ledger, signal));
}
