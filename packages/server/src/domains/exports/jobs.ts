import type { JobBoard } from '../../platform/jobs/board.js';
import { EXPORTS } from './queue.js';
import { type RunTools, runExport } from './run.js';

export async function exportJobs(jobs: JobBoard, tools: RunTools): Promise<void> {
  await jobs.work(EXPORTS, (scope, { export_id }, signal) =>
    runExport(tools, scope, export_id, signal),
  );
}
