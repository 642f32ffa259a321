import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { type NightlyTools, runNightly } from './nightly-run.js';
import { RECALCULATION } from './queue.js';

export async function liabilityJobs(jobs: JobQueue, tools: NightlyTools): Promise<void> {
  await jobs.work(RECALCULATION, (ledger, _data, signal) => runNightly(ledger, tools, signal));
}
