import { configure, type Entry, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { Findings } from '../report/findings.js';
import type { ByteSource } from './byte-source.js';
import { checkEndRecord, MAX_ENTRIES } from './end-record.js';
import { ArchiveError } from './guarded-source.js';
import { Inflate } from './inflate.js';

configure({ DecompressionStream: Inflate });

/** A file of the archive, as described in its directory. */
export interface ArchiveFile {
  readonly name: string;
  /** Uncompressed size in bytes. */
  readonly size: number;
  readonly packedSize: number;
  readonly crc32: number;
  /** Whether size and CRC follow the data (general purpose bit 3). */
  readonly streamed: boolean;
  readonly deflated: boolean;
  /** Offset of the local header. */
  readonly offset: number;
  /** DOS date and time, combined. */
  readonly modified: number;
  /** The uncompressed bytes. Fails if the archive differs from its directory. */
  read(): ReadableStream<Uint8Array>;
}

export interface Archive {
  readonly source: ByteSource;
  /** In the order of the directory, without entries that are unsafe to read. */
  readonly files: ReadonlyMap<string, ArchiveFile>;
  /** Whether all entries are among the files. */
  readonly isWhole: boolean;
}

const PLAIN_FILE = 0o100000;
const TYPE_OF_FILE = 0o170000;
const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER_BYTES = 30;
/** Records compress to about a quarter of their size. A far higher ratio indicates an attack, or values of a single letter. */
const MAX_RATIO = 200;
/** What is read whatever the ratio: it takes seconds. */
const FREE_BYTES = 1024 ** 3;

/**
 * Opens an archive that may be hostile. Unsafe entries become findings.
 * @throws ArchiveError if no entry can be read
 */
export async function openArchive(source: ByteSource, findings: Findings): Promise<Archive> {
  await checkEndRecord(source);
  const entries = await listEntries(source);
  refuseBomb(entries);
  const overlapping = overlaps(entries);
  const files = new Map<string, ArchiveFile>();
  const names = new Set<string>();
  for (const entry of entries) {
    const fail = (code: Parameters<typeof failEntry>[2], problem: string) =>
      failEntry(findings, entry, code, problem);
    const problem = nameProblem(entry.filename);
    const folded = foldedName(entry.filename);
    if (problem !== null) fail('entry_name', problem);
    else if (names.has(folded)) fail('entry_duplicate', 'has the name of another entry');
    else if (entry.encrypted) fail('entry_encrypted', 'is encrypted');
    else if (!isPlainFile(entry)) fail('entry_symlink', 'is not a plain file');
    else if (overlapping.has(entry)) fail('entry_overlap', 'shares bytes with another entry');
    else if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
      fail('entry_method', `is compressed by method ${entry.compressionMethod}`);
    else files.set(entry.filename, fileOf(entry));
    names.add(folded);
  }
  return { source, files, isWhole: files.size === entries.length };
}

async function listEntries(source: ByteSource): Promise<Entry[]> {
  const reader = new ZipReader(new SourceReader(source), {
    useWebWorkers: false,
    strictness: 'balanced',
    // openArchive checks the names, so that invalid names become findings.
    filenameValidation: 'tolerant',
    maxAppendedDataSize: 0,
    checkLocalFilename: true,
    checkOverlappingEntry: true,
  });
  const entries: Entry[] = [];
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) break;
    }
  } catch (error) {
    throw new ArchiveError('archive_unreadable', `The archive cannot be read: ${reason(error)}.`);
  }
  return entries;
}

/** @throws ArchiveError */
function refuseBomb(entries: readonly Entry[]): void {
  const deflated = entries.filter(({ compressionMethod }) => compressionMethod === DEFLATED);
  const packed = deflated.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
  const unpacked = deflated.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpacked > FREE_BYTES && unpacked > packed * MAX_RATIO) {
    throw new ArchiveError(
      'archive_unreadable',
      `The archive would expand from ${packed} bytes to ${unpacked}, which no bundle does.`,
    );
  }
}

/** Entries that share bytes with the previous or next one. */
function overlaps(entries: readonly Entry[]): Set<Entry> {
  const found = new Set<Entry>();
  const inPlace = [...entries].sort((a, b) => a.offset - b.offset);
  let before: Entry | undefined;
  for (const entry of inPlace) {
    if (before !== undefined) {
      const end = before.offset + LOCAL_HEADER_BYTES + before.rawFilename.length;
      if (end + before.compressedSize > entry.offset) found.add(before).add(entry);
    }
    before = entry;
  }
  return found;
}

function isPlainFile(entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & TYPE_OF_FILE;
  return !entry.directory && !entry.symlink && (type === PLAIN_FILE || type === 0);
}

function fileOf(entry: Entry): ArchiveFile {
  return {
    name: entry.filename,
    size: entry.uncompressedSize,
    packedSize: entry.compressedSize,
    crc32: entry.crc32 ?? entry.signature ?? 0,
    streamed: ((entry.rawBitFlag ?? 0) & 8) !== 0,
    deflated: entry.compressionMethod === DEFLATED,
    offset: entry.offset,
    modified: Number(entry.rawLastModDate),
    read: () => readEntry(entry),
  };
}

function readEntry(entry: Entry): ReadableStream<Uint8Array> {
  if (entry.directory) throw new ArchiveError('entry_symlink', `${entry.filename} is a folder.`);
  let pipe: TransformStreamDefaultController<Uint8Array> | undefined;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      pipe = controller;
    },
  });
  const options = { useWebWorkers: false, useCompressionStream: true };
  // An error before the first byte is not propagated to `readable` automatically.
  entry.getData(writable, options).catch((error: unknown) => pipe?.error(error));
  return readable;
}

function failEntry(
  findings: Findings,
  entry: Entry,
  code:
    | 'entry_name'
    | 'entry_duplicate'
    | 'entry_encrypted'
    | 'entry_symlink'
    | 'entry_overlap'
    | 'entry_method',
  problem: string,
): void {
  const file = entry.filename;
  findings.fail('integrity', {
    code,
    file,
    message: `The entry ${JSON.stringify(file)} ${problem}.`,
  });
}

/** The reason of a refusal, without a final full stop. */
export function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}

class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }

  override readUint8Array(index: number, length: number): Promise<Uint8Array> {
    const available = Math.max(0, Math.min(length, this.size - index));
    return this.#source.read(index, available);
  }
}

/**
 * The reason why a name is not valid for a file of a bundle, or null. Names are plain and flat, so that
 * unpacking a bundle overwrites no other file on any system.
 */
function nameProblem(name: string): string | null {
  if (name.includes('\u0000')) return 'contains a NUL character';
  if (name.includes('\\')) return 'contains a backslash';
  if (name.startsWith('/')) return 'is an absolute path';
  if (/^[A-Za-z]:/.test(name)) return 'begins with a drive letter';
  if (name.split('/').includes('..')) return 'leads out of the folder';
  if (name.endsWith('/')) return 'is a folder';
  if (name.includes('/')) return 'is in a folder';
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)
    ? null
    : 'contains characters that no file name of a bundle has';
}

/** Maps names that some system treats as equal to the same text: ignores case and accent forms. */
function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
