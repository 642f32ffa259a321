import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { systemCode } from './engine-error.js';
import {
  CONTROL_FILE,
  IDENTIFIER_BYTES,
  NONCE,
  NONCE_BYTES,
  parseControl,
  sealControl,
} from './inspect/control-file.js';

/** A prepared database in one file. */
export interface PreparedDatabase {
  readonly file: string;
  /** Identifies everything that the content depends on; a file with another value is not used. */
  readonly madeOf: string;
}

/*
 * The file: SHA-256 of the rest ‖ Brotli of (length of the index, 4 bytes ‖ index, JSON ‖ the
 * concatenated contents of the files).
 */
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
/** The window covers a whole database, so that the three nearly equal ones of a cluster compress well. */
const WINDOW_BITS = 24;
const QUALITY = 5;
/** Each piece that is unpacked is a task of another thread: by default, there are thousands. */
const PIECE_BYTES = 1 << 20;

interface Index {
  readonly madeOf: string;
  /** Relative paths with slashes; a folder precedes its contents. */
  readonly folders: readonly string[];
  readonly files: readonly (readonly [path: string, bytes: number])[];
}

/**
 * Packs a database that is not in use. Throws if it was not shut down cleanly.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { databaseFolder } from '@decision-ledger/embedded/data-folder';
 * import { engineRelease, packDatabase } from '@decision-ledger/embedded/prepared';
 *
 * const packed = await packDatabase(databaseFolder('./ledger-data'), await engineRelease());
 * await writeFile('prepared.bin', packed);
 * ```
 */
export async function packDatabase(folder: string, madeOf: string): Promise<Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const pathOf = (entry: (typeof entries)[number]) =>
    relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
  const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf);
  const paths = entries.filter((entry) => entry.isFile()).map(pathOf);
  const contents = new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path))]));
  if (!isShutDown(contents)) throw new Error('the prepared database was not shut down cleanly');
  const files = [...contents].map(([path, { length }]) => [path, length] as const);
  const index: Index = { madeOf, folders: folders.sort(), files };
  const head = Buffer.from(JSON.stringify(index), 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  const packed = await promisify(brotliCompress)(
    Buffer.concat([length, head, ...contents.values()]),
    {
      params: {
        [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      },
    },
  );
  return Buffer.concat([digest(packed), packed]);
}

/**
 * Unpacks the prepared database into an empty folder, with a new identity. Does not sync. Returns
 * false, without writing anything, if the file is missing, damaged or made for something else.
 */
export async function unpackDatabase(
  { file, madeOf }: PreparedDatabase,
  folder: string,
): Promise<boolean> {
  const unpacked = await readPrepared(file);
  if (unpacked === null || unpacked.index.madeOf !== madeOf) return false;
  const { index, contents } = unpacked;
  if (!renewIdentity(contents)) return false;
  for (const path of index.folders) mkdirSync(join(folder, path), { mode: 0o700 });
  for (const [path, content] of contents) {
    writeFileSync(join(folder, path), content, { mode: 0o600, flag: 'wx' });
  }
  return true;
}

interface Unpacked {
  readonly index: Index;
  readonly contents: ReadonlyMap<string, Buffer>;
}

async function readPrepared(file: string): Promise<Unpacked | null> {
  const bytes = readIfPresent(file);
  if (bytes === null) return null;
  const packed = bytes.subarray(DIGEST_BYTES);
  if (!digest(packed).equals(bytes.subarray(0, DIGEST_BYTES))) return null;
  const content = await promisify(brotliDecompress)(packed, { chunkSize: PIECE_BYTES });
  const start = LENGTH_BYTES + content.readUInt32LE();
  // The digest proves that `packDatabase` wrote it.
  const index: Index = JSON.parse(content.toString('utf8', LENGTH_BYTES, start));
  const contents = new Map<string, Buffer>();
  let at = start;
  for (const [path, size] of index.files) {
    contents.set(path, content.subarray(at, at + size));
    at += size;
  }
  return { index, contents };
}

function readIfPresent(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/**
 * The manifest of the engine's package. It changes with every release of the engine.
 *
 * @example
 * ```ts
 * import { startEngine } from '@decision-ledger/embedded/engine';
 * import { engineRelease } from '@decision-ledger/embedded/prepared';
 *
 * const prepared = { file: 'prepared.bin', madeOf: await engineRelease() };
 * const engine = await startEngine({ dataDir: './ledger-data', prepared });
 * ```
 */
export async function engineRelease(): Promise<string> {
  return readFile(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')), 'utf8');
}

/** The first page of each log file holds the system identifier (src/include/access/xlog_internal.h). */
const LOG_FILE = /^pg_wal\/[0-9A-F]{24}$/;
const LOG_FLAGS = 2;
const HAS_LONG_HEADER = 2;
const LOG_IDENTIFIER = 24;

/**
 * Gives a copied cluster the random values that initdb creates for each: a new system identifier, in the
 * control file and the log, and a new seed. Changes the contents in place.
 * @param files by their path in the cluster
 * @returns false, without any change, if the layout is not as expected or the cluster was not shut
 *   down cleanly
 */
function renewIdentity(files: ReadonlyMap<string, Buffer>): boolean {
  const control = files.get(CONTROL_FILE);
  if (control === undefined || !isShutDown(files)) return false;
  const former = Buffer.from(control.subarray(0, IDENTIFIER_BYTES));
  const logs = [...files].filter(([path]) => LOG_FILE.test(path)).map(([, log]) => log);
  if (!logs.every((log) => namesCluster(log, former))) return false;
  const identifier = randomBytes(IDENTIFIER_BYTES);
  identifier.copy(control);
  for (const log of logs) identifier.copy(log, LOG_IDENTIFIER);
  randomBytes(NONCE_BYTES).copy(control, NONCE);
  sealControl(control);
  return true;
}

/** Whether the cluster was shut down cleanly. */
function isShutDown(files: ReadonlyMap<string, Buffer>): boolean {
  const control = files.get(CONTROL_FILE);
  return control !== undefined && parseControl(control)?.isShutDown === true;
}

function namesCluster(log: Buffer, identifier: Buffer): boolean {
  const end = LOG_IDENTIFIER + IDENTIFIER_BYTES;
  return (
    log.length >= end &&
    (log.readUInt16LE(LOG_FLAGS) & HAS_LONG_HEADER) !== 0 &&
    log.subarray(LOG_IDENTIFIER, end).equals(identifier)
  );
}
