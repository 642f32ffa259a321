import { closeSync, openSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { type FileEntry, ZipReader } from '@zip.js/zip.js';
import { FileSource } from '../platform/zip-source.js';
import { BackupError } from './backup-error.js';
import {
  type ListedFile,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  type Manifest,
  readManifest,
} from './manifest.js';
import { unpackEntry } from './unpack-entry.js';

/** A backup whose directory agrees with its manifest. */
export interface BackupArchive {
  readonly manifest: Manifest;
  /**
   * Writes all files below a new folder, and compares each with its size and hash.
   * @param onWritten is given the number of bytes written, and of all
   * @throws BackupError
   */
  extract(folder: string, onWritten: (bytes: number, of: number) => void): Promise<void>;
  close(): Promise<void>;
}

const MAX_ENTRIES = 200_000;
/** Names are compared with those of the manifest, so all are read. */
const OPTIONS = {
  useWebWorkers: false,
  checkOverlappingEntry: true,
  filenameValidation: 'tolerant',
} as const;

/**
 * Opens a backup, which may be hostile: nothing is unpacked that its manifest does not name, and no more bytes than it
 * states.
 * @throws BackupError
 */
export async function openBackup(path: string): Promise<BackupArchive> {
  const handle = await open(path).catch((error: unknown) => {
    throw new BackupError(`the backup ${path} cannot be read: ${reasonOf(error)}`);
  });
  try {
    const entries = await readEntries(path, new ZipReader(new FileSource(handle), OPTIONS));
    const manifest = await readListed(path, handle, entries);
    const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      manifest,
      async extract(folder, onWritten) {
        await requireSpace(dirname(folder), total);
        await makeFolders(folder, manifest);
        let written = 0;
        for (const file of manifest.files) {
          const entry = entries.get(file.name);
          if (entry === undefined) throw new Error(`${file.name} is not in the archive`);
          await extractFile(join(folder, file.name), handle, entry, file, (bytes) => {
            written += bytes;
            onWritten(written, total);
          });
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readEntries(
  path: string,
  reader: ZipReader<unknown>,
): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entries.size >= MAX_ENTRIES) throw new BackupError('it has too many entries');
      if (entry.directory || entry.symlink || entry.encrypted) {
        throw new BackupError(`${JSON.stringify(entry.filename)} in it is not a plain file`);
      }
      if (entries.has(entry.filename)) {
        throw new BackupError(`${JSON.stringify(entry.filename)} is in it twice`);
      }
      entries.set(entry.filename, entry);
    }
  } catch (error) {
    throw new BackupError(
      `${path} is not a whole backup: ${reasonOf(error)}. Take another copy of it`,
      { cause: error },
    );
  }
  return entries;
}

/** The manifest, if the archive has the files that it lists, in their sizes, and no others. */
async function readListed(
  path: string,
  handle: FileHandle,
  entries: ReadonlyMap<string, FileEntry>,
): Promise<Manifest> {
  const listing = entries.get(MANIFEST);
  if (listing === undefined || listing.uncompressedSize > MAX_MANIFEST_BYTES) {
    throw new BackupError(`${path} is not a backup: it has no ${MANIFEST}`);
  }
  const manifest = readManifest(await readText(path, handle, listing));
  for (const { name, bytes } of manifest.files) {
    const size = entries.get(name)?.uncompressedSize;
    if (size === bytes) continue;
    const found = size === undefined ? 'is missing' : `has ${size} bytes instead of ${bytes}`;
    throw new BackupError(`${path} is not a whole backup: ${name} ${found}`);
  }
  if (entries.size === manifest.files.length + 1) return manifest;
  throw new BackupError(`${path} was altered: it holds files that its manifest does not list`);
}

/** The size of an entry may be a lie, so the bytes are counted. No hash is listed of the list itself. */
async function readText(path: string, handle: FileHandle, entry: FileEntry): Promise<string> {
  try {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of await unpackEntry(handle, entry)) {
      bytes += part.length;
      if (bytes > MAX_MANIFEST_BYTES) throw new BackupError(`${MANIFEST} is too long`);
      parts.push(part);
    }
    const whole = Buffer.concat(parts);
    if (crc32(whole) !== entry.signature) throw new BackupError('it does not have its CRC-32');
    return whole.toString('utf8');
  } catch (error) {
    throw new BackupError(`${MANIFEST} of ${path} cannot be read: ${reasonOf(error)}`);
  }
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes) return;
  throw new BackupError(
    `the backup unpacks to ${bytes} bytes, and the disk of ${folder} has ${bavail * bsize} left`,
  );
}

async function makeFolders(folder: string, { files, folders }: Manifest): Promise<void> {
  const parents = files.map(({ name }) => dirname(name));
  for (const name of new Set([...folders, ...parents])) {
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  }
}

async function extractFile(
  path: string,
  handle: FileHandle,
  entry: FileEntry,
  { name, bytes, sha256 }: ListedFile,
  onWritten: (bytes: number) => void,
): Promise<void> {
  const digest = sha256Stream();
  let length = 0;
  const file = openSync(path, 'wx', 0o600);
  try {
    for await (const part of await unpackEntry(handle, entry)) {
      length += part.length;
      if (length > bytes) throw new BackupError(`it is longer than the ${bytes} bytes listed`);
      digest.update(part);
      writeFileSync(file, part);
      onWritten(part.length);
    }
  } catch (error) {
    throw new BackupError(`${name} in the backup cannot be unpacked: ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    closeSync(file);
  }
  if (length === bytes && digest.hex() === sha256) return;
  throw new BackupError(`${name} in the backup was altered: it does not have the SHA-256 listed`);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
