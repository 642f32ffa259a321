import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { closeMonths } from './close-months.js';
import { CLOSING } from './queue.js';

export async function analyticsJobs(jobs: JobQueue): Promise<void> {
  await jobs.work(CLOSING, (ledger, _data, signal) => closeMonths(ledger, signal));
}
