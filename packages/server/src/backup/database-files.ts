import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '@decision-ledger/embedded/engine-error';

export interface FoundFile {
  /** With slashes, relative to the folder that was searched. */
  readonly path: string;
  readonly bytes: number;
}

export interface FoundTree {
  readonly folders: readonly string[];
  readonly files: readonly FoundFile[];
}

const LOG = /^pg_wal\//;
/** What PostgreSQL makes again when it starts, as `pg_basebackup` leaves it out. */
const REMADE_IN =
  /^(?:pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
const REMADE =
  /(?:^|\/)(?:postmaster\.(?:pid|opts)|pg_internal\.init(?:\.\d+)?|pgsql_tmp[^/]*|t\d+_\d+[^/]*)(?:\/|$)/;
/** `.incoming` of the store of files, and other drafts. */
const HIDDEN = /(?:^|\/)\./;

/** Whether a copy of the database needs the file beside its log. */
export function isPartOfDatabase(path: string): boolean {
  return ![LOG, REMADE_IN, REMADE].some((pattern) => pattern.test(path));
}

/** The files and folders in a folder; none if it does not exist. Hidden ones are left out. */
export async function findFiles(folder: string): Promise<FoundTree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(orNone);
  const found = entries
    .map((entry) => ({ entry, path: pathIn(folder, join(entry.parentPath, entry.name)) }))
    .filter(({ path }) => !HIDDEN.test(path));
  const folders = found.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path);
  const files: FoundFile[] = [];
  for (const { entry, path } of found) {
    if (!entry.isFile()) continue;
    const status = await stat(join(folder, path)).catch(() => null);
    if (status !== null) files.push({ path, bytes: status.size });
  }
  const inOrder = files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { folders: folders.sort(), files: inOrder };
}

function pathIn(folder: string, path: string): string {
  return path.slice(folder.length + 1).replaceAll('\\', '/');
}

function orNone(error: unknown): [] {
  if (systemCode(error) === 'ENOENT') return [];
  throw error;
}

const PART_BYTES = 256 << 10;

/** The handle of a file, or null if it was removed after it was found. */
export async function openFound(path: string): Promise<FileHandle | null> {
  return open(path, 'r').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
}

/**
 * The bytes of a file up to `bytes`, or fewer if it is shorter; then closes it.
 * @param onRead is given the number of bytes of each part
 */
export async function* readUntil(
  file: FileHandle,
  bytes: number,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < bytes; ) {
      const part = Buffer.allocUnsafe(Math.min(PART_BYTES, bytes - at));
      const { bytesRead } = await file.read(part, 0, part.length, at);
      if (bytesRead === 0) return;
      onRead(bytesRead);
      yield part.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** The bytes of a file up to `bytes`, followed by zeros up to its size. */
export async function* readThenZeros(
  file: FileHandle,
  bytes: number,
  size: number,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  yield* readUntil(file, bytes, onRead);
  for (let at = bytes; at < size; at += PART_BYTES) {
    yield Buffer.alloc(Math.min(PART_BYTES, size - at));
  }
}
