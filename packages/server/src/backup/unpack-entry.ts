import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import type { FileEntry } from '@zip.js/zip.js';
import { BackupError } from './backup-error.js';

const STORED = 0;
const DEFLATED = 8;
/** At most so many bytes of an entry are in memory, packed and unpacked. */
const PART_BYTES = 256 << 10;
/** For checks alone, which write nothing. */
const NOWHERE = new WritableStream();

/**
 * The bytes of an entry, piece by piece. The ZIP reader checks its headers and that it shares no byte with another one;
 * Node.js unpacks it. A database has more than a thousand small files, for which streams take longer than the bytes.
 */
export async function unpackEntry(
  archive: FileHandle,
  entry: FileEntry,
): Promise<AsyncIterable<Buffer> | Iterable<Buffer>> {
  await entry.getData(NOWHERE, { checkOverlappingEntryOnly: true });
  const start = entry.localDirectory?.dataOffset;
  if (start === undefined) throw new Error(`${entry.filename} has no place in the archive`);
  const { compressedSize, uncompressedSize, compressionMethod } = entry;
  const packed = readRange(archive, start, compressedSize);
  if (compressionMethod === STORED) return packed;
  if (compressionMethod !== DEFLATED) throw new BackupError('it has an unknown compression');
  if (Math.max(compressedSize, uncompressedSize) <= PART_BYTES) {
    return [inflateRawSync(Buffer.concat([...packed]), { maxOutputLength: PART_BYTES })];
  }
  // An error of either ends the loop that reads the bytes.
  const inflate = createInflateRaw({ chunkSize: PART_BYTES });
  return pipeline(Readable.from(packed), inflate, () => undefined);
}

function* readRange({ fd }: FileHandle, start: number, bytes: number): Generator<Buffer, void> {
  for (let at = 0; at < bytes; ) {
    const part = Buffer.allocUnsafe(Math.min(PART_BYTES, bytes - at));
    const length = readSync(fd, part, 0, part.length, start + at);
    if (length === 0) throw new BackupError('it ends too early');
    yield part.subarray(0, length);
    at += length;
  }
}
