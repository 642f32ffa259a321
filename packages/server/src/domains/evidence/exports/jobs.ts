import { setTimeout as sleep } from 'node:timers/promises';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { JobData } from '../../../platform/jobs/stored-jobs.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { EXPORTS, LONG_EXPORTS } from './request.js';

/** An export that takes longer (ms) makes room for another organisation, and goes on in the lane of those that take long. */
const SHORT_MS = 10_000;

/** Makes an export in another thread, by its public id. Rejects with the reason of the signal if that stopped it. */
export type MakeExport = (
  scope: Scope,
  exportId: string,
  signal: AbortSignal,
  options?: MakeOptions,
) => Promise<void>;

export interface MakeOptions {
  /** Called when nothing is left but to store the bundle. */
  readonly onSealed?: () => void;
  /** Whether requests, followers and other exports have the processor first. */
  readonly isInBackground?: boolean;
}

/**
 * @param make makes an export
 * @param shortMs how long an export may hold up others
 */
export async function exportJobs(
  jobs: JobQueue,
  make: MakeExport,
  shortMs = SHORT_MS,
): Promise<void> {
  await jobs.work(EXPORTS, async (ledger, data, signal) => {
    const { export_id } = data;
    // A sealed bundle is stored sooner than it is made again.
    const [sealed, isLong] = [new AbortController(), new AbortController()];
    const isInTheWay = (ms: number) => isExportInTheWay(jobs, ledger, data, ms);
    const watching = untilInTheWay(isInTheWay, shortMs, sealed.signal).then(
      () => isLong.abort(),
      // It was sealed or ended before.
      () => undefined,
    );
    try {
      const stopped = AbortSignal.any([signal, isLong.signal]);
      // What an organisation orders in numbers takes no processor time from one that waits for a single export.
      const isInBackground = await jobs.hasWaiting(ledger, EXPORTS);
      await make(ledger.scope, export_id, stopped, {
        onSealed: () => sealed.abort(),
        isInBackground,
      });
    } catch (error) {
      if (!isLong.signal.aborted || error !== isLong.signal.reason) throw error;
      await jobs.send(ledger, LONG_EXPORTS, data, export_id);
    } finally {
      sealed.abort();
      await watching;
    }
  });
  await jobs.work(LONG_EXPORTS, ({ scope }, { export_id }, signal) =>
    make(scope, export_id, signal, { isInBackground: true }),
  );
}

/**
 * Resolves once an export has taken long and another organisation waits for longer than a free lane takes to find it. One that only
 * a busy machine slows down keeps its lane, rather than wait for one that takes minutes.
 */
async function untilInTheWay(
  isInTheWay: (ms: number) => Promise<boolean>,
  shortMs: number,
  signal: AbortSignal,
): Promise<void> {
  const pauseMs = shortMs / 10;
  await sleep(shortMs, undefined, { signal });
  while (!(await isInTheWay(3 * pauseMs))) await sleep(pauseMs, undefined, { signal });
  signal.throwIfAborted();
}

/** While the database does not answer, nobody knows who waits. */
const isExportInTheWay = (jobs: JobQueue, ledger: Ledger, data: JobData, ms: number) =>
  jobs.isInTheWay(ledger, { from: EXPORTS, to: LONG_EXPORTS, data }, ms).catch(() => false);
