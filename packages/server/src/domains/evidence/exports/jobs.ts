import { setTimeout as sleep } from 'node:timers/promises';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Scope } from '../../../platform/scope.js';
import { EXPORTS, LONG_EXPORTS } from './queue.js';

/** An export that takes longer (ms) makes room for another organisation, and goes on in the lane of those that take long. */
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
    const [ended, isLong] = [new AbortController(), new AbortController()];
    const watching = untilInTheWay(jobs, shortMs, ended.signal).then(
      () => isLong.abort(),
      // It ended before, or nobody knows who waits.
      () => undefined,
    );
    try {
      await make(ledger.scope, export_id, AbortSignal.any([signal, isLong.signal]));
    } catch (error) {
      if (signal.aborted || !isLong.signal.aborted) throw error;
      await jobs.send(ledger, LONG_EXPORTS, data, export_id);
    } finally {
      ended.abort();
      await watching;
    }
  });
  await jobs.work(LONG_EXPORTS, ({ scope }, { export_id }, signal) =>
    make(scope, export_id, signal),
  );
}

/**
 * Resolves once an export has taken long and another organisation waits. One that only a busy machine slows down keeps its lane,
 * rather than wait for one that takes minutes.
 */
async function untilInTheWay(jobs: JobQueue, shortMs: number, signal: AbortSignal): Promise<void> {
  const pauseMs = shortMs / 10;
  await sleep(shortMs, undefined, { signal });
  while (!(await jobs.isAwaited(EXPORTS, pauseMs))) await sleep(pauseMs, undefined, { signal });
}
