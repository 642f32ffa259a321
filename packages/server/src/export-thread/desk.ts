import { Worker } from 'node:worker_threads';
import type { Scope } from '../platform/scope.js';
import { type ExportPlace, type FailureReport, STOP, type ThreadData } from './messages.js';

/**
 * Records pass through and are forgotten: little room keeps the memory of an export flat. Should one
 * ever need more, the thread ends, and not the process.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 64 };

export type MakeExport = (scope: Scope, exportId: string, signal: AbortSignal) => Promise<void>;

/**
 * Makes each export in a thread of its own, with connections of its own: neither requests nor other
 * jobs wait for it, and its memory is given back when it ends.
 * @param onFailure told of each try that failed
 */
export function exportMaker(place: ExportPlace, onFailure: (error: Error) => void): MakeExport {
  return (scope, exportId, signal) =>
    new Promise((resolve, reject) => {
      const workerData: ThreadData = { ...place, scope, exportId };
      const url = new URL('./thread.js', import.meta.url);
      const worker = new Worker(url, { workerData, resourceLimits });
      const stop = () => worker.postMessage(STOP);
      signal.addEventListener('abort', stop);
      worker.on('message', ({ failure }: FailureReport) => onFailure(new Error(failure)));
      worker.on('error', reject);
      worker.on('exit', (code) => {
        signal.removeEventListener('abort', stop);
        // Behind an error this comes too late to change anything.
        if (code === 0) resolve();
        else reject(new Error(`the thread of an export ended with code ${code}`));
      });
    });
}
