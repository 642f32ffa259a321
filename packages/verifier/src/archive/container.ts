import type { ByteSource } from './byte-source.js';
import {
  centralRecord,
  concatenate,
  dataDescriptor,
  endRecords,
  localHeader,
  type Placed,
} from './layout.js';
import type { ArchiveFile } from './open.js';

/**
 * Compares the structure of an archive with the one that the service writes for files of these names,
 * sizes and CRCs, in this order and with the date of the first. Together with the hashes of the files
 * this checks every byte of the archive.
 *
 * @returns offset of the first byte that differs, or null. The CRCs are not checked here.
 */
export async function findDifference(
  source: ByteSource,
  files: readonly ArchiveFile[],
): Promise<number | null> {
  const modified = files[0]?.modified ?? 0;
  const placed: Placed[] = [];
  let at = 0;
  for (const file of files) {
    if (!file.stored || file.packedSize !== file.size || file.offset !== at) return at;
    const one: Placed = { ...file, offset: at, modified };
    placed.push(one);
    const header = localHeader(one);
    const different = await compare(source, at, header);
    if (different !== null) return different;
    at += header.length + file.size;
    const descriptor = dataDescriptor(one);
    const differentAfter = await compare(source, at, descriptor);
    if (differentAfter !== null) return differentAfter;
    at += descriptor.length;
  }
  const directory = concatenate(placed.map(centralRecord));
  const end = endRecords(placed.length, directory.length, at);
  const tail = concatenate([directory, end]);
  return (await compare(source, at, tail)) ?? (at + tail.length === source.size ? null : at);
}

async function compare(
  source: ByteSource,
  at: number,
  expected: Uint8Array,
): Promise<number | null> {
  if (at + expected.length > source.size) return at;
  const actual = await source.read(at, expected.length);
  const different = expected.findIndex((byte, index) => byte !== actual[index]);
  return different < 0 ? null : at + different;
}
