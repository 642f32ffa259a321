import { type ResourceLimits, Worker } from 'node:worker_threads';
import { countFailure, type FailureTools } from '../domains/evidence/exports/index.js';
import type { MakeExport } from '../domains/evidence/exports/jobs.js';
import type { SignedNotes } from '../domains/evidence/transparency/index.js';
import type { DatabaseAddress } from '../platform/connection.js';
import type { FilesAddress } from '../platform/files/address.js';
import type { Keyring } from '../platform/keyring/keyring.js';
import type { Scope } from '../platform/principal.js';
import { type ExportPlace, type ExportThreadData, STOP, type ThreadReport } from './messages.js';

/**
 * Records are streamed, so a small heap suffices. An export that needs more ends its thread, not the
 * process.
 */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 64 };

/**
 * Counts a try whose thread ended without a report, for example because it ran out of memory.
 * @returns whether it was the last try
 */
export type CountCrash = (scope: Scope, exportId: string, error: Error) => Promise<boolean>;

export interface ExportListeners {
  /** Called with the error of each failed try. */
  readonly onFailure: (error: unknown) => void;
  /** Called with the reason each time the export restarts with an empty folder. */
  readonly onRestart: (reason: string) => void;
}

interface Ending {
  /** Null if the thread succeeded. */
  readonly error: Error | null;
  /** Whether the thread has already counted the failure. */
  readonly isCounted: boolean;
  /** Whether it ended because it was asked to. */
  readonly wasStopped: boolean;
}

export interface MakerTools extends Omit<FailureTools, 'onFailure'> {
  readonly storage: { readonly address: DatabaseAddress };
  readonly filesAddress: FilesAddress;
  readonly keyring: Keyring;
  readonly signedNotes: SignedNotes;
}

/** Creates exports of a service, and counts tries whose thread crashed. */
export function exportMakerOf(tools: MakerTools, listeners: ExportListeners): MakeExport {
  const { storage, filesAddress, workDir, keyring, signedNotes } = tools;
  const signedDir = signedNotes.folder;
  const place = { address: storage.address, files: filesAddress, workDir, signedDir, keyring };
  const { onFailure } = listeners;
  return exportMaker(place, listeners, async (scope, exportId, error) => {
    const status = await countFailure(
      tools.db.ledger(scope),
      { ...tools, onFailure },
      exportId,
      error,
    );
    return status === 'failed';
  });
}

/**
 * Creates each export in its own thread with its own connections, so that it delays neither requests nor
 * other jobs.
 */
export function exportMaker(
  place: ExportPlace,
  listeners: ExportListeners,
  countCrash: CountCrash,
  resourceLimits: ResourceLimits = HEAP,
): MakeExport {
  const make: MakeExport = async (scope, exportId, signal, options = {}) => {
    // Nobody hears of an abort that was before.
    signal.throwIfAborted();
    const { onSealed = () => undefined, isInBackground = false } = options;
    const keyring = place.keyring.portable();
    const workerData: ExportThreadData = { ...place, keyring, scope, exportId, isInBackground };
    const worker = new Worker(THREAD, { workerData, resourceLimits });
    const ending = await endOf(worker, signal, { ...listeners, onSealed });
    const { error, isCounted, wasStopped } = ending;
    if (wasStopped) signal.throwIfAborted();
    if (error === null) return;
    if (isCounted) throw error;
    if (!(await countCrash(scope, exportId, error))) throw error;
  };
  return oneAtATime(make);
}

/**
 * An export may have a job in both lanes, if a process was killed between them. Threads of one process would take each other's
 * work folder for left, so the second waits for the first.
 */
function oneAtATime(make: MakeExport): MakeExport {
  const running = new Map<string, Promise<void>>();
  return async (scope, exportId, signal, options) => {
    for (let other = running.get(exportId); other !== undefined; other = running.get(exportId)) {
      await ended(other, signal);
    }
    const made = make(scope, exportId, signal, options);
    running.set(exportId, made);
    try {
      await made;
    } finally {
      running.delete(exportId);
    }
  };
}

/** Resolves when the work ends, however. Rejects if it is aborted before. */
async function ended(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work.catch(() => undefined), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const THREAD = new URL('./thread.js', import.meta.url);

/** How long (ms) a thread may take to stop. Then it is ended as if it had died, which loses no more than its step. */
const STOP_MS = 2000;

/** Messages of a thread arrive before its exit event. */
function endOf(
  worker: Worker,
  signal: AbortSignal,
  { onFailure, onRestart, onSealed }: ExportListeners & { readonly onSealed: () => void },
): Promise<Ending> {
  let killing: NodeJS.Timeout | undefined;
  let wasStopped = false;
  const stop = () => {
    worker.postMessage(STOP);
    killing = setTimeout(() => {
      wasStopped = true;
      void worker.terminate();
    }, STOP_MS);
  };
  signal.addEventListener('abort', stop);
  let isCounted = false;
  let thrown: Error | null = null;
  worker.on('message', (report: ThreadReport) => {
    if ('restart' in report) return onRestart(report.restart);
    if ('reached' in report) {
      if (report.reached === 'sealed') return onSealed();
      wasStopped = true;
      return;
    }
    isCounted = true;
    onFailure(new Error(report.failure));
  });
  worker.on('error', (error) => {
    thrown = error instanceof Error ? error : new Error(String(error));
  });
  return new Promise((resolve) => {
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      clearTimeout(killing);
      const crash =
        code === 0 ? null : new Error(`the thread of an export ended with code ${code}`);
      resolve({ error: thrown ?? crash, isCounted, wasStopped });
    });
  });
}
