import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { LOG_REBUILDS, LOG_ROUNDS } from './queue.js';
import { rebuildLogs } from './rebuild.js';
import { type RoundTools, signRound } from './round.js';

export async function transparencyJobs(jobs: JobQueue, tools: RoundTools): Promise<void> {
  await jobs.work(LOG_ROUNDS, (scope, _data, signal) => signRound(tools, scope, signal));
  await jobs.work(LOG_REBUILDS, (scope, _data, signal) => rebuildLogs(tools, scope, signal));
}
