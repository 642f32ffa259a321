import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '@decision-ledger/embedded/make-folder';
import {
  checkName,
  checkPrefix,
  type FileStore,
  FileStoreError,
  isFileName,
  type StoredFile,
} from './store.js';

/** Names of stored files do not begin with a dot, so incomplete files cannot be mistaken for them. */
const INCOMING = '.incoming';
/** No write takes this long: older files were left by a killed process. */
const STALE_MS = 24 * 60 * 60 * 1000;
const PIECE_BYTES = 256 * 1024;

/** A file store in a folder, which is created with the first file. Folders are 0700, files 0600. */
export function openFolder(root: string): FileStore {
  return {
    put: (name, path) => put(root, name, path),
    read: (name) => read(root, name),
    async delete(name) {
      checkName(name);
      await attempt(root, () => rm(join(root, name), { force: true }));
    },
    async *list(prefix) {
      checkPrefix(prefix);
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      for await (const file of walk(root, folder)) if (file.name.startsWith(prefix)) yield file;
    },
    close: async () => undefined,
  };
}

async function put(root: string, name: string, path: string): Promise<void> {
  checkName(name);
  const source = await open(path, 'r');
  try {
    await attempt(root, async () => {
      const target = join(root, name);
      const incoming = join(root, INCOMING);
      await makeSyncedFolder(incoming);
      await removeStale(incoming);
      await makeSyncedFolder(dirname(target));
      const draft = join(incoming, randomBytes(16).toString('hex'));
      try {
        await copyDurably(source, draft);
        await rename(draft, target);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await sync(dirname(target));
    });
  } finally {
    await source.close();
  }
}

async function copyDurably(source: FileHandle, draft: string): Promise<void> {
  const target = await open(draft, 'wx', 0o600);
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await source.read(piece);
      if (bytesRead === 0) break;
      await target.writeFile(piece.subarray(0, bytesRead));
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

/** Creates a folder and syncs the entry of each new folder. */
async function makeSyncedFolder(folder: string): Promise<void> {
  const made = makeFolder(folder);
  if (made === undefined) return;
  for (let path = resolve(folder); path.length >= made.length; path = dirname(path)) {
    await sync(dirname(path));
  }
}

async function sync(folder: string): Promise<void> {
  // Windows cannot sync folders; NTFS journals their entries.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Compares ages by the file system's clock, which stamps a marker file. */
async function removeStale(incoming: string): Promise<void> {
  const names: string[] = [];
  for await (const entry of await opendir(incoming)) names.push(entry.name);
  if (names.length === 0) return;
  const marker = join(incoming, randomBytes(16).toString('hex'));
  await (await open(marker, 'wx', 0o600)).close();
  const now = (await stat(marker)).mtimeMs;
  await rm(marker);
  for (const name of names) {
    const path = join(incoming, name);
    const found = await present(() => stat(path));
    if (found !== null && now - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

async function read(root: string, name: string) {
  checkName(name);
  const path = join(root, name);
  const handle = await attempt(root, () => present(() => open(path, 'r')));
  if (handle === null) return null;
  const found = await handle.stat();
  if (!found.isFile()) {
    await handle.close();
    return null;
  }
  return { bytes: found.size, stream: createReadStream(path, { fd: handle }) };
}

async function* walk(root: string, folder: string): AsyncGenerator<StoredFile> {
  const found = await attempt(root, () => present(() => opendir(join(root, folder))));
  if (found === null) return;
  for await (const entry of found) {
    const name = `${folder}${entry.name}`;
    if (!isFileName(name)) continue;
    if (entry.isDirectory()) yield* walk(root, `${name}/`);
    if (!entry.isFile()) continue;
    const details = await present(() => stat(join(root, name)));
    if (details === null) continue;
    yield { name, modifiedAt: Math.floor(details.mtimeMs), bytes: details.size };
  }
}

/** Returns null if the file or its folder does not exist. */
async function present<Result>(look: () => Promise<Result>): Promise<Result | null> {
  try {
    return await look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    throw error;
  }
}

/** @throws FileStoreError instead of the file system's error */
async function attempt<Result>(root: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failure(root, error);
  }
}

function failure(root: string, error: unknown): FileStoreError {
  const code = codeOf(error);
  const folder = `the folder for files, ${root},`;
  const cause = { cause: error };
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) {
    return new FileStoreError('full', `${folder} has no space left: free some space`, cause);
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    const remedy = 'give the service write access, or set another in LEDGER_FILES_URL';
    return new FileStoreError('credentials', `${folder} is not writable: ${remedy}`, cause);
  }
  return new FileStoreError('failed', `${folder} cannot be used: ${code || 'no code'}`, cause);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
