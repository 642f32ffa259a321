import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EngineError, systemCode } from './engine-error.js';
import { makeFolder } from './make-folder.js';

/** The PostgreSQL major version of the pinned PGlite. Files of other versions cannot be read. */
const POSTGRES_MAJOR = '18';

/** A marker that exists until a new database is completely written to disk. */
const INCOMPLETE = 'pg.incomplete';

/**
 * The folder of the database within the data folder.
 *
 * @example
 * ```ts
 * import { databaseFolder } from '@decision-ledger/embedded/data-folder';
 *
 * databaseFolder('ledger-data').slice(-2); // => 'pg'
 * ```
 */
export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'pg');
}

/** Creates the data folder if it is missing, and syncs its entry in the parent folder. */
export function openDataFolder(dataDir: string): void {
  const created = makeFolder(dataDir);
  if (created !== undefined) syncFile(dirname(created));
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    throw foreign(dataDir, 'is itself the data directory of a PostgreSQL server');
  }
}

/**
 * Checks that the engine can open the database in the folder. Changes nothing.
 * @returns whether there is none, or only an incomplete one
 */
export function lacksDatabase(dataDir: string): boolean {
  const folder = databaseFolder(dataDir);
  // With a link, several data folders, each with its own lock, could share one database.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw foreign(folder, 'is a symbolic link');
  }
  if (existsSync(join(dataDir, INCOMPLETE)) || !existsSync(folder) || isEmptyFolder(folder)) {
    return true;
  }
  checkDatabase(folder);
  return false;
}

/** Makes the empty folder of a new database, in place of an incomplete one. The caller holds the folder's lock. */
export function beginDatabaseFolder(dataDir: string): void {
  const folder = databaseFolder(dataDir);
  const marker = join(dataDir, INCOMPLETE);
  if (existsSync(marker)) rmSync(folder, { recursive: true, force: true });
  writeFileSync(marker, 'This database is being created.\n', { mode: 0o600 });
  syncFile(marker);
  makeFolder(folder);
  syncFile(dataDir);
}

/** Marks a new database as complete, after syncing it to disk. */
export async function completeDatabaseFolder(dataDir: string): Promise<void> {
  await syncTree(databaseFolder(dataDir));
  rmSync(join(dataDir, INCOMPLETE));
  syncFile(dataDir);
}

export function diskIsFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 1 << 20;
  } catch {
    return false;
  }
}

function checkDatabase(folder: string): void {
  const version = readVersion(folder);
  if (version === null || !existsSync(join(folder, 'global'))) {
    throw foreign(folder, 'exists but holds no complete database of this service');
  }
  if (version === POSTGRES_MAJOR) return;
  throw new EngineError(
    'other_version',
    `The database in ${folder} was written by PostgreSQL ${version}, and this release embeds PostgreSQL ${POSTGRES_MAJOR}, which cannot read it.`,
    'Start it with the release of Decision Ledger that wrote it, or set LEDGER_DATA_DIR to a new folder. The files were not touched.',
  );
}

function readVersion(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function isEmptyFolder(folder: string): boolean {
  return statSync(folder).isDirectory() && readdirSync(folder).length === 0;
}

function foreign(folder: string, what: string): EngineError {
  return new EngineError(
    'folder_foreign',
    `The folder ${folder} ${what}.`,
    'Set LEDGER_DATA_DIR to a folder of its own, or restore this one from a backup. The files were not touched.',
  );
}

/** Maximum number of concurrent syncs; the file system batches them into one journal transaction. */
const SYNCS = 16;

/**
 * Syncs all files and folders of a folder to disk.
 *
 * @example
 * ```ts
 * import { syncTree } from '@decision-ledger/embedded/data-folder';
 *
 * await syncTree('./ledger-data');
 * ```
 */
export async function syncTree(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || (entry.isDirectory() && process.platform !== 'win32'))
    .map((entry) => join(entry.parentPath, entry.name))
    .values();
  const syncSome = async () => {
    for (const path of paths) await syncLater(path);
  };
  await Promise.all(Array.from({ length: SYNCS }, syncSome));
  syncFile(folder);
}

/** Only the sync waits for the disk. The rest takes less than a task of another thread. */
async function syncLater(path: string): Promise<void> {
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await promisify(fsync)(file);
  } finally {
    closeSync(file);
  }
}

/** Windows cannot sync a folder; NTFS journals its entries. */
function syncFile(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
