import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { type CorrelateTools, correlateNewEvents } from './correlate.js';
import { CORRELATION } from './queue.js';

export async function attributionJobs(jobs: JobQueue, tools: CorrelateTools): Promise<void> {
  await jobs.work(CORRELATION, (ledger, _data, signal) =>
    correlateNewEvents(ledger, tools, signal),
  );
}
