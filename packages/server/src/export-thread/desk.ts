import { type ResourceLimits, Worker } from 'node:worker_threads';
import { countFailure, type FailureTools } from '../domains/exports/index.js';
import type { DatabaseAddress } from '../platform/address.js';
import type { FilesAddress } from '../platform/files/address.js';
import type { Keyring } from '../platform/keyring/keyring.js';
import type { Scope } from '../platform/scope.js';
import { type ExportPlace, STOP, type ThreadData, type ThreadReport } from './messages.js';

/**
 * Records pass through and are forgotten: little room keeps the memory of an export flat. Should one
 * ever need more, the thread ends, and not the process.
 */
const ROOM: ResourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 64 };

export type MakeExport = (scope: Scope, exportId: string, signal: AbortSignal) => Promise<void>;

/**
 * A try whose thread ended without having said why, as one does that needs more memory than it has.
 * @returns whether that was the last one
 */
export type CountLost = (scope: Scope, exportId: string, error: Error) => Promise<boolean>;

export interface ExportListeners {
  /** Told of each try that failed. */
  readonly onFailure: (error: unknown) => void;
  /** Told why each time that what was made is thrown away. */
  readonly onAnew: (reason: string) => void;
}

interface Ending {
  /** Null for a thread that came to its end. */
  readonly error: Error | null;
  /** Whether the thread counted the failure itself. */
  readonly isCounted: boolean;
}

export interface MakerTools extends Omit<FailureTools, 'onFailure'> {
  readonly storage: { readonly address: DatabaseAddress };
  readonly filesAddress: FilesAddress;
  readonly keyring: Keyring;
}

/** What makes exports of a service, and counts the tries that are lost. */
export function exportMakerOf(tools: MakerTools, listeners: ExportListeners): MakeExport {
  const { storage, filesAddress, workDir, keyring } = tools;
  const place = { address: storage.address, files: filesAddress, workDir, keyring };
  const { onFailure } = listeners;
  return exportMaker(place, listeners, async (scope, exportId, error) => {
    const status = await countFailure({ ...tools, onFailure }, scope, exportId, error);
    return status === 'failed';
  });
}

/**
 * Makes each export in a thread of its own, with connections of its own: neither requests nor other
 * jobs wait for it, and its memory is given back when it ends.
 */
export function exportMaker(
  place: ExportPlace,
  listeners: ExportListeners,
  countLost: CountLost,
  resourceLimits: ResourceLimits = ROOM,
): MakeExport {
  return async (scope, exportId, signal) => {
    const keyring = place.keyring.portable();
    const workerData: ThreadData = { ...place, keyring, scope, exportId };
    const worker = new Worker(THREAD, { workerData, resourceLimits });
    const { error, isCounted } = await endOf(worker, signal, listeners);
    if (error === null) return;
    if (isCounted || signal.aborted) throw error;
    if (!(await countLost(scope, exportId, error))) throw error;
  };
}

const THREAD = new URL('./thread.js', import.meta.url);

/** All that a thread says comes before its exit. */
function endOf(
  worker: Worker,
  signal: AbortSignal,
  { onFailure, onAnew }: ExportListeners,
): Promise<Ending> {
  const stop = () => worker.postMessage(STOP);
  signal.addEventListener('abort', stop);
  let isCounted = false;
  let thrown: Error | null = null;
  worker.on('message', (said: ThreadReport) => {
    if ('anew' in said) return onAnew(said.anew);
    isCounted = true;
    onFailure(new Error(said.failure));
  });
  worker.on('error', (error) => {
    thrown = error instanceof Error ? error : new Error(String(error));
  });
  return new Promise((resolve) => {
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      const left = code === 0 ? null : new Error(`the thread of an export ended with code ${code}`);
      resolve({ error: thrown ?? left, isCounted });
    });
  });
}
