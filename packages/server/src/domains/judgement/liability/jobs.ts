import type { JobBoard } from '../../../platform/jobs/board.js';
import { type NightlyTools, runNightly } from './nightly-run.js';
import { RECALCULATION } from './queue.js';

export async function liabilityJobs(jobs: JobBoard, tools: NightlyTools): Promise<void> {
  await jobs.work(RECALCULATION, (scope, _data, signal) => runNightly(tools, scope, signal));
}
