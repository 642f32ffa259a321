import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EngineError, systemCode } from './engine-error.js';
import { type Liveness, listenWhileAlive, livenessOf } from './liveness.js';
import {
  type LockOwner,
  linkLock,
  listGenerations,
  lockPath,
  readLock,
  releaseLock,
  TEMPORARY,
} from './lock-file.js';
import { ownIdentity } from './process-identity.js';
import { newSocketName, socketAddress } from './short-path.js';

/*
 * The folder belongs to the owner of the highest generation while that owner is alive. Generation
 * n + 1 is acquired only after n was released or its owner is proven dead, by creating a link, which
 * succeeds for exactly one contender. A contender that was suspended may find n + 1 free because a
 * later owner has removed it. Owners remove generations from the lowest up, so n is missing too.
 * Therefore the contender checks after the link that n still exists and that nothing is higher.
 * A release never deletes the file, so generations are not reused.
 */

export interface FolderLock {
  readonly generation: number;
  /** The socket on which the holder accepts connections. */
  readonly controlSocket: string;
  /** Releases the folder. Call it after all writes have ended. */
  release(): void;
}

export interface FolderHolder {
  readonly owner: LockOwner;
  readonly liveness: Exclude<Liveness, 'dead'>;
  /** Whether the lock is that of another folder, and came here with a copy of it. */
  readonly isCopied: boolean;
}

const ATTEMPTS = 50;

/** Locks the folder for this process. Throws an EngineError if another process holds the lock. */
export async function acquireFolderLock(folder: string): Promise<FolderLock> {
  const aliveSocket = newSocketName('alive-');
  const controlSocket = process.platform === 'win32' ? newSocketName('ledger-') : 'ledger.sock';
  const own: LockOwner = {
    released: false,
    ...ownIdentity(),
    folder: resolve(folder),
    folderFile: fileOf(folder),
    aliveSocket,
    controlSocket,
  };
  const alive = await listenWhileAlive(socketAddress(folder, aliveSocket));
  try {
    const generation = await takeGeneration(folder, own);
    removeStaleFiles(folder, generation, aliveSocket);
    return {
      generation,
      controlSocket,
      release() {
        try {
          releaseLock(folder, generation);
        } catch {
          // The folder is not writable; the lock becomes free when this process ends.
        }
        alive.close();
      },
    };
  } catch (error) {
    alive.close();
    throw error;
  }
}

/** The current holder of the folder, or null. */
export async function readFolderHolder(folder: string): Promise<FolderHolder | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const highest = listGenerations(folder).at(-1);
    if (highest === undefined) return null;
    const content = readLock(folder, highest);
    if (content === null) continue;
    if (content.released) return null;
    const address = socketAddress(folder, content.aliveSocket);
    const liveness = await livenessOf(content, address, folder);
    const isCopied = content.folderFile !== fileOf(folder);
    return liveness === 'dead' ? null : { owner: content, liveness, isCopied };
  }
  throw unsettled(folder);
}

async function takeGeneration(folder: string, own: LockOwner): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const last = listGenerations(folder).at(-1) ?? 0;
    const holder = await readFolderHolder(folder);
    if (holder !== null) throw inUse(folder, holder);
    // The lookup came after the listing, so the dead holder may be that of a later generation.
    if ((listGenerations(folder).at(-1) ?? 0) !== last) continue;
    const next = last + 1;
    if (!linkLock(folder, next, own)) continue;
    const predecessorExists = last === 0 || existsSync(lockPath(folder, last));
    if (predecessorExists && listGenerations(folder).at(-1) === next) return next;
    rmSync(lockPath(folder, next), { force: true });
  }
  throw unsettled(folder);
}

const STALE_AGE_MS = 3_600_000;

/** Removes files of earlier owners, and stale temporary files of contenders. */
function removeStaleFiles(folder: string, generation: number, aliveSocket: string): void {
  for (const lower of listGenerations(folder).filter((found) => found < generation)) {
    const content = readLock(folder, lower);
    if (content?.released === false && process.platform !== 'win32') {
      rmSync(join(folder, content.aliveSocket), { force: true });
    }
    rmSync(lockPath(folder, lower), { force: true });
  }
  for (const name of readdirSync(folder)) {
    const isTemporary = TEMPORARY.test(name) || /^alive-[0-9a-f]{8}$/.test(name);
    if (!isTemporary || name === aliveSocket) continue;
    const path = join(folder, name);
    if (ageOf(folder, path) > STALE_AGE_MS) rmSync(path, { force: true });
  }
}

/** Uses the clock that stamps the files. */
function ageOf(folder: string, path: string): number {
  try {
    return statSync(folder).mtimeMs - statSync(path).mtimeMs;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** The number by which the file system knows the folder. */
function fileOf(folder: string): string {
  return String(statSync(folder, { bigint: true }).ino);
}

function inUse(folder: string, { owner, liveness, isCopied }: FolderHolder): EngineError {
  const file = lockPath(folder, listGenerations(folder).at(-1) ?? 1);
  if (isCopied) return copied(folder, owner, file);
  if (liveness === 'unproven') {
    return new EngineError(
      'lock_unproven',
      `The data folder ${folder} was last used by process ${owner.pid} on host "${owner.host}", and whether that one still runs cannot be seen from here.`,
      `Make sure that it does not, then delete ${file}.`,
    );
  }
  return new EngineError(
    'folder_in_use',
    `The data folder ${folder} is in use by process ${owner.pid}, which answers on ${socketAddress(folder, owner.controlSocket)}.`,
    'Stop that process first, or set LEDGER_DATA_DIR to another folder.',
  );
}

/** A folder that was copied while a process used it, or whose process cannot be seen from here. */
function copied(folder: string, owner: LockOwner, file: string): EngineError {
  return new EngineError(
    'lock_copied',
    `The data folder ${folder} is a copy: its lock belongs to process ${owner.pid} on host "${owner.host}", which holds ${owner.folder}. A copy that was made while it wrote may be torn.`,
    `Stop that process and copy the folder again, or make a copy with \`decision-ledger backup\` and \`restore\`. If nothing wrote while it was copied, delete ${file}.`,
  );
}

function unsettled(folder: string): EngineError {
  return new EngineError(
    'folder_in_use',
    `Other processes are starting on the data folder ${folder} at this moment.`,
    'Try again.',
  );
}
