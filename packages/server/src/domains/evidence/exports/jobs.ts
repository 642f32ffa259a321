import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { EXPORTS } from './queue.js';

/** @param make makes an export in another thread, by its public id */
export async function exportJobs(
  jobs: JobQueue,
  make: (scope: Scope, exportId: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await jobs.work(EXPORTS, ({ scope }, { export_id }, signal) => make(scope, export_id, signal));
}
