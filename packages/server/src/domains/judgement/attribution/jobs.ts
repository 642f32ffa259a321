import type { JobBoard } from '../../../platform/jobs/board.js';
import { type CorrelateTools, correlateNewEvents } from './correlate.js';
import { CORRELATION } from './queue.js';

export async function attributionJobs(jobs: JobBoard, tools: CorrelateTools): Promise<void> {
  await jobs.work(CORRELATION, (scope, _data, signal) => correlateNewEvents(tools, scope, signal));
}
