import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  beginDatabaseFolder,
  databaseFolder,
  diskIsFull,
  lacksDatabase,
  openDataFolder,
} from './data-folder.js';
import { EngineError, systemCode } from './engine-error.js';
import { EngineThread } from './engine-thread.js';
import { diskFull, folderError } from './folder-error.js';
import { acquireFolderLock, type FolderLock, readFolderHolder } from './folder-lock.js';
import { reach } from './liveness.js';
import type { PreparedDatabase } from './prepared.js';
import { socketAddress } from './short-path.js';
import type { WorkerSettings } from './worker-messages.js';

export { EngineError } from './engine-error.js';

export interface EngineOptions {
  /** Created if missing. It holds the database in `pg`, the lock and the socket. */
  readonly dataDir: string;
  /** The template of a new database; without it, initdb runs, which takes seconds. */
  readonly prepared?: PreparedDatabase;
  /** Called with the folder locked before a database is created; if it rejects, none is, with that error. */
  readonly beforeCreate?: () => Promise<void>;
  /** Called once if a running engine fails; `stop` must still be called. */
  readonly onFailure?: (error: Error) => void;
  /** How long a transaction may wait for its client, in milliseconds; default 10,000. */
  readonly idleTransactionMs?: number;
  /**
   * The time of the database in place of the system's: milliseconds since 1970, a signed integer in the
   * first eight bytes, which the owner moves forward. For data that are recorded in a past time.
   */
  readonly time?: SharedArrayBuffer;
}

/** A PostgreSQL in this process, with exclusive use of its data folder. */
export interface Engine {
  /** The socket for `engineClientConfig`. */
  readonly socketPath: string;
  /** File operations since the start: fsync calls and bytes of write-ahead log. */
  counters(): Promise<{ readonly fsyncs: number; readonly walBytes: number }>;
  /** Waits for the running statement, closes the connections, saves all data and unlocks the folder. */
  stop(): Promise<void>;
}

const IDLE_TRANSACTION_MS = 10_000;

/**
 * Starts the engine on a data folder. Throws an EngineError if the folder is in use, unusable, or
 * holds other files.
 *
 * @example
 * ```ts
 * import { startEngine } from '@decision-ledger/embedded/engine';
 *
 * const engine = await startEngine({
 *   dataDir: './ledger-data',
 *   onFailure: (error) => console.error(error.message),
 * });
 * await engine.stop();
 * ```
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir);
  const lock = await lockFolder(dataDir);
  try {
    return await startLocked(dataDir, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

export interface RunningEngine {
  readonly socketPath: string;
  readonly pid: number;
}

const START_WAIT_MS = 20_000;
const POLL_MS = 50;

/**
 * The engine that another process runs on this data folder, or null. Waits for one that is starting.
 * Throws an EngineError if it does not become ready.
 *
 * @example
 * ```ts
 * import { engineClientConfig } from '@decision-ledger/embedded/connection';
 * import { findRunningEngine } from '@decision-ledger/embedded/engine';
 *
 * const running = await findRunningEngine('./ledger-data');
 * const config = running && engineClientConfig(running.socketPath, 'ledger_app');
 * ```
 */
export async function findRunningEngine(dataDir: string): Promise<RunningEngine | null> {
  const folder = resolve(dataDir);
  for (let waited = 0; waited < START_WAIT_MS; waited += POLL_MS) {
    const holder = await holderOf(folder);
    // An owner that cannot be checked from here is refused later, by the lock.
    if (holder === null || holder.liveness === 'unproven') return null;
    const socketPath = socketAddress(folder, holder.owner.controlSocket);
    if ((await reach(socketPath)) === 'answers') return { socketPath, pid: holder.owner.pid };
    // It answers in another folder. The copied lock is refused later, too.
    if (holder.isCopied) return null;
    await pause(POLL_MS);
  }
  throw new EngineError(
    'engine_failed',
    `A process holds the data folder ${folder}, but its engine does not answer.`,
    'Wait until it has started, or stop it.',
  );
}

async function holderOf(folder: string) {
  try {
    return await readFolderHolder(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw folderError(folder, error);
  }
}

async function lockFolder(dataDir: string): Promise<FolderLock> {
  try {
    openDataFolder(dataDir);
    return await acquireFolderLock(dataDir);
  } catch (error) {
    throw folderError(dataDir, error);
  }
}

async function startLocked(
  dataDir: string,
  lock: FolderLock,
  {
    prepared,
    beforeCreate,
    onFailure,
    idleTransactionMs = IDLE_TRANSACTION_MS,
    time,
  }: EngineOptions,
): Promise<Engine> {
  const socketPath = socketAddress(dataDir, lock.controlSocket);
  const settings = { dataDir, socketPath, idleTransactionMs, prepared: prepared ?? null };
  const given = { ...settings, time: time ?? null };
  const onFailed = (error: Error) => onFailure?.(failure(dataDir, error));
  if (await prepareDatabase(dataDir, beforeCreate)) {
    const creator = await openThread({ ...given, create: true }, () => undefined);
    await creator.kill();
  }
  const thread = await openThread({ ...given, create: false }, onFailed);
  let stopped: Promise<void> | null = null;
  const stop = async () => {
    await thread.stop();
    lock.release();
  };
  return {
    socketPath,
    counters: () => thread.counters(),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** @returns whether the database must be created */
async function prepareDatabase(
  dataDir: string,
  beforeCreate: EngineOptions['beforeCreate'],
): Promise<boolean> {
  if (!inFolder(dataDir, () => lacksDatabase(dataDir))) return false;
  await beforeCreate?.();
  inFolder(dataDir, () => beginDatabaseFolder(dataDir));
  return true;
}

function inFolder<Result>(dataDir: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw folderError(dataDir, error);
  }
}

async function openThread(
  settings: WorkerSettings,
  onFailed: (error: Error) => void,
): Promise<EngineThread> {
  const thread = new EngineThread(settings, onFailed);
  try {
    await thread.ready();
    return thread;
  } catch (error) {
    await thread.kill();
    throw failure(settings.dataDir, error);
  }
}

function failure(dataDir: string, error: unknown): EngineError {
  const reason = error instanceof Error ? error.message : String(error);
  if (diskIsFull(dataDir) || /No space left|ENOSPC/.test(reason)) return diskFull(dataDir, error);
  return new EngineError(
    'engine_failed',
    `The database engine on ${databaseFolder(dataDir)} failed: ${reason}.`,
    'Start the service again: all acknowledged data is kept. If it fails again, restore a backup.',
    { cause: error },
  );
}
