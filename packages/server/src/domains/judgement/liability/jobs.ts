import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { type NightlyTools, runNightly } from './nightly-run.js';
import { RECALCULATION } from './queue.js';

export async function liabilityJobs(jobs: JobQueue, tools: NightlyTools): Promise<void> {
  await jobs.work(RECALCULATION, (scope, _data, signal) => runNightly(tools, scope, signal));
}
