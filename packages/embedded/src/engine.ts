import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  beginDatabaseFolder,
  databaseFolder,
  lacksDatabase,
  openDataFolder,
} from './data-folder.js';
import { EngineError, systemCode } from './engine-error.js';
import { EngineThread } from './engine-thread.js';
import { engineFailure, folderError, startFailure } from './folder-error.js';
import { acquireFolderLock, type FolderLock, readFolderHolder } from './folder-lock.js';
import { readControl } from './inspect/control-file.js';
import { reach } from './liveness.js';
import type { PreparedDatabase } from './prepared.js';
import { socketAddress } from './short-path.js';
import { type OnStartWait, reportingStart } from './start-wait.js';
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
  /** Called every few seconds while the engine starts. There is no time limit: a recovery may be long. */
  readonly onWait?: OnStartWait;
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
 * Starts the engine on a data folder. Throws an EngineError if the folder is in use, unusable, damaged, or
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

/** How long to wait for an engine of another process that is starting. */
export interface EngineWait {
  /** ms; default 20,000. */
  readonly waitMs?: number;
  /** Called with the time since the start, in ms, every 5 seconds. */
  readonly onWait?: (waitedMs: number) => void;
}

const START_WAIT_MS = 20_000;
const POLL_MS = 50;
const NOTICE_MS = 5000;

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
export async function findRunningEngine(
  dataDir: string,
  { waitMs = START_WAIT_MS, onWait }: EngineWait = {},
): Promise<RunningEngine | null> {
  const folder = resolve(dataDir);
  for (let waited = 0; waited < waitMs; waited += POLL_MS) {
    if (waited > 0 && waited % NOTICE_MS === 0) onWait?.(waited);
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
    'Wait until it has started (its log says what it does), or stop it.',
  );
}

/** The process that uses a data folder. */
export interface FolderUser {
  readonly pid: number;
  readonly host: string;
  /** False if it may run where this process cannot see it. */
  readonly isSeen: boolean;
}

/**
 * The process that holds the lock of a data folder, or null.
 *
 * @example
 * ```ts
 * import { findFolderUser } from '@decision-ledger/embedded/engine';
 *
 * await findFolderUser('./no-such-folder'); // => null
 * ```
 */
export async function findFolderUser(dataDir: string): Promise<FolderUser | null> {
  const holder = await holderOf(resolve(dataDir));
  if (holder === null) return null;
  const { pid, host } = holder.owner;
  return { pid, host, isSeen: holder.liveness === 'alive' };
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
  options: EngineOptions,
): Promise<Engine> {
  const { prepared, onFailure, idleTransactionMs = IDLE_TRANSACTION_MS, time, onWait } = options;
  const socketPath = socketAddress(dataDir, lock.controlSocket);
  const settings = { dataDir, socketPath, idleTransactionMs, prepared: prepared ?? null };
  const operations = new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT);
  const given = { ...settings, time: time ?? null, operations };
  const onFailed = (error: Error) => onFailure?.(engineFailure(dataDir, error));
  const isNew = await prepareDatabase(dataDir, options.beforeCreate);
  const work = isNew ? 'creating the database' : workOf(dataDir);
  const thread = await reportingStart({ work, operations, onWait }, async () => {
    if (isNew) await (await openThread({ ...given, create: true }, () => undefined)).kill();
    return openThread({ ...given, create: false }, onFailed);
  });
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

function workOf(dataDir: string): string {
  const control = inFolder(dataDir, () => readControl(databaseFolder(dataDir)));
  return control?.isShutDown === true ? 'opening the database' : 'recovering';
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
    throw await startFailure(settings.dataDir, error);
  }
}
