import {
  closeSync,
  existsSync,
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
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError, systemCode } from './engine-error.js';
import { makeFolder } from './make-folder.js';

/** The major version of PostgreSQL inside the pinned PGlite; its files fit no other. */
const POSTGRES_MAJOR = '18';

/** Stands for as long as a new database is not complete on the disk. */
const INCOMPLETE = 'pg.incomplete';

export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'pg');
}

/** Creates the data folder where it is absent; its entry in the parent is on the disk afterwards. */
export function openDataFolder(dataDir: string): void {
  const created = makeFolder(dataDir);
  if (created !== undefined) syncFile(dirname(created));
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    throw foreign(dataDir, 'is itself the data directory of a PostgreSQL server');
  }
}

/**
 * Makes sure that the database in the folder is one that the engine can open, and clears away one
 * whose creation was cut short. True where it must be created. The caller holds the folder's lock.
 */
export function prepareDatabaseFolder(dataDir: string): boolean {
  const folder = databaseFolder(dataDir);
  const marker = join(dataDir, INCOMPLETE);
  // A link could lead several data folders, with a lock each, to one database.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw foreign(folder, 'is a symbolic link');
  }
  if (existsSync(marker)) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(folder) || isEmptyFolder(folder)) {
    writeFileSync(marker, 'This database is being created.\n', { mode: 0o600 });
    syncFile(marker);
    makeFolder(folder);
    syncFile(dataDir);
    return true;
  }
  checkDatabase(folder);
  return false;
}

/** Declares a new database complete, once all of it is on the disk. */
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
  if (version === null || !existsSync(join(folder, 'global', 'pg_control'))) {
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

/** How many files are synced at once: the file system puts them into one transaction of its journal. */
const SYNCS = 16;

async function syncTree(folder: string): Promise<void> {
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

async function syncLater(path: string): Promise<void> {
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Windows cannot open a folder for this; NTFS journals the entries by itself. */
function syncFile(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
