import { ArchiveError } from '../archive/archive-error.js';
import { crc32 } from '../archive/crc32.js';
import type { ArchiveFile } from '../archive/open.js';

/**
 * Passes the bytes of a file on in chunks, and stops after `limit`.
 * @returns number of bytes read; above `limit` if the file has more
 */
export async function pour(
  file: ArchiveFile,
  limit: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<number> {
  const reader = file.read().getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes += value.length;
    if (bytes > limit) {
      await reader.cancel();
      return bytes;
    }
    onChunk(value);
  }
}

/**
 * @throws ArchiveError if the file has more than `limit` bytes or its bytes differ from the archive's
 *   CRC; errors of the archive reader
 */
export async function readWhole(
  file: ArchiveFile,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > limit) throw tooLarge(file, limit);
  const bytes = new Uint8Array(file.size);
  let at = 0;
  const poured = await pour(file, file.size, (chunk) => {
    bytes.set(chunk, at);
    at += chunk.length;
  });
  if (poured > file.size) throw tooLarge(file, file.size);
  const whole = bytes.subarray(0, at);
  if (crc32(whole) !== file.crc32) {
    throw new ArchiveError('file_crc', `${file.name} has a CRC-32 other than the archive says.`);
  }
  return whole;
}

function tooLarge({ name }: ArchiveFile, limit: number): ArchiveError {
  return new ArchiveError('file_size', `${name} has more than ${limit} bytes.`);
}
