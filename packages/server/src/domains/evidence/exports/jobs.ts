import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { EXPORTS, LONG_EXPORTS } from './queue.js';

/** An export that takes longer (ms) goes on in the lane of those that take long. */
const SHORT_MS = 10_000;

/**
 * @param make makes an export in another thread, by its public id
 * @param shortMs how long an export may hold up others
 */
export async function exportJobs(
  jobs: JobQueue,
  make: (scope: Scope, exportId: string, signal: AbortSignal) => Promise<void>,
  shortMs = SHORT_MS,
): Promise<void> {
  await jobs.work(EXPORTS, async (ledger, data, signal) => {
    const { export_id } = data;
    const isLong = AbortSignal.timeout(shortMs);
    try {
      await make(ledger.scope, export_id, AbortSignal.any([signal, isLong]));
    } catch (error) {
      if (signal.aborted || !isLong.aborted) throw error;
      await jobs.send(ledger, LONG_EXPORTS, data, export_id);
    }
  });
  await jobs.work(LONG_EXPORTS, ({ scope }, { export_id }, signal) =>
    make(scope, export_id, signal),
  );
}
