import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { type ClosingTools, closeMonths } from './close-months.js';
import { CLOSING } from './queue.js';

export async function analyticsJobs(jobs: JobQueue, tools: ClosingTools): Promise<void> {
  await jobs.work(CLOSING, (ledger, _data, signal) => closeMonths(ledger, tools, signal));
}
