import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Scope } from '../platform/scope.js';
import { type ExportPlace, STOP, type ThreadData, type ThreadReport } from './messages.js';

/**
 * Records are streamed, so that a small heap is enough. An export that needs more ends its thread, not
 * the process.
 */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 64 };

export type MakeExport = (scope: Scope, exportId: string, signal: AbortSignal) => Promise<void>;

/**
 * Counts a try whose thread ended without a report, such as one that ran out of memory.
 * @returns whether it was the last one
 */
export type CountCrash = (scope: Scope, exportId: string, error: Error) => Promise<boolean>;

export interface ExportListeners {
  /** Called with the error of each failed try. */
  readonly onFailure: (error: Error) => void;
  /** Called with the reason each time the export starts again from an empty folder. */
  readonly onRestart: (reason: string) => void;
}

interface Ending {
  /** Null for a thread that finished. */
  readonly error: Error | null;
  /** Whether the thread counted the failure. */
  readonly isCounted: boolean;
}

/**
 * Makes each export in its own thread with its own connections, so that neither requests nor other jobs
 * wait for it.
 */
export function exportMaker(
  place: ExportPlace,
  listeners: ExportListeners,
  countCrash: CountCrash,
  resourceLimits: ResourceLimits = HEAP,
): MakeExport {
  return async (scope, exportId, signal) => {
    const workerData: ThreadData = { ...place, scope, exportId };
    const worker = new Worker(THREAD, { workerData, resourceLimits });
    const { error, isCounted } = await endOf(worker, signal, listeners);
    if (error === null) return;
    if (isCounted || signal.aborted) throw error;
    if (!(await countCrash(scope, exportId, error))) throw error;
  };
}

const THREAD = new URL('./thread.js', import.meta.url);

/** The messages of a thread arrive before its exit. */
function endOf(
  worker: Worker,
  signal: AbortSignal,
  { onFailure, onRestart }: ExportListeners,
): Promise<Ending> {
  const stop = () => worker.postMessage(STOP);
  signal.addEventListener('abort', stop);
  let isCounted = false;
  let thrown: Error | null = null;
  worker.on('message', (report: ThreadReport) => {
    if ('restart' in report) return onRestart(report.restart);
    isCounted = true;
    onFailure(new Error(report.failure));
  });
  worker.on('error', (error) => {
    thrown = error instanceof Error ? error : new Error(String(error));
  });
  return new Promise((resolve) => {
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      const crash =
        code === 0 ? null : new Error(`the thread of an export ended with code ${code}`);
      resolve({ error: thrown ?? crash, isCounted });
    });
  });
}
