import type { ByteSource } from './byte-source.js';
import type { ArchiveFile } from './open.js';

/**
 * Compares the structure of an archive with the one that the service writes for files of these names,
 * sizes and CRCs, in this order and with the date of the first. Together with the hashes of the files
 * this checks every byte of the archive, but not how the files are compressed.
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
    if (!file.deflated || file.offset !== at) return at;
    const one: Placed = { ...file, offset: at, modified };
    placed.push(one);
    const header = localHeader(one);
    const different = await compare(source, at, header);
    if (different !== null) return different;
    at += header.length + file.packedSize;
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

/** A file in the structure of an archive. */
export interface Placed {
  readonly name: string;
  readonly size: number;
  /** After compression. */
  readonly packedSize: number;
  readonly crc32: number;
  readonly streamed: boolean;
  /** Offset of the local header. */
  readonly offset: number;
  /** DOS date and time, combined. */
  readonly modified: number;
}

const MADE_BY_UNIX_63 = (3 << 8) | 63;
const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
const DEFLATED = 8;
const FLAG_UTF8 = 0x800;
const FLAG_STREAMED = 0x8;
const MODE = 0o100644;
const IN_ZIP64 = 0xffffffff;

/** Appends little-endian numbers. */
class Bytes {
  readonly #bytes: number[] = [];

  u16(...values: number[]): this {
    for (const value of values) this.#bytes.push(value & 0xff, (value >>> 8) & 0xff);
    return this;
  }

  u32(...values: number[]): this {
    for (const value of values) this.u16(value & 0xffff, value >>> 16);
    return this;
  }

  u64(...values: number[]): this {
    for (const value of values) this.u32(value % 2 ** 32, Math.floor(value / 2 ** 32));
    return this;
  }

  text(text: string): this {
    this.#bytes.push(...new TextEncoder().encode(text));
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** APPNOTE 4.3.7. */
export function localHeader(file: Placed): Uint8Array {
  const [crc, packed, size] = file.streamed ? [0, 0, 0] : [file.crc32, file.packedSize, file.size];
  return new Bytes()
    .u32(0x04034b50)
    .u16(VERSION_PLAIN, flagsOf(file), DEFLATED)
    .u32(file.modified, crc, packed, size)
    .u16(byteLength(file.name), 0)
    .text(file.name)
    .done();
}

/** APPNOTE 4.3.9; empty for a file whose size is in the header. */
export function dataDescriptor(file: Placed): Uint8Array {
  if (!file.streamed) return new Uint8Array();
  const bytes = new Bytes().u32(0x08074b50, file.crc32);
  const { packedSize, size } = file;
  return (needsZip64(file) ? bytes.u64(packedSize, size) : bytes.u32(packedSize, size)).done();
}

/** APPNOTE 4.3.12. */
export function centralRecord(file: Placed): Uint8Array {
  const zip64 = needsZip64(file);
  const { size, packedSize, offset } = file;
  const extra = zip64
    ? new Bytes().u16(1, 24).u64(size, packedSize, offset).done()
    : new Uint8Array();
  const fixed = new Bytes()
    .u32(0x02014b50)
    .u16(MADE_BY_UNIX_63, zip64 ? VERSION_ZIP64 : VERSION_PLAIN, flagsOf(file), DEFLATED)
    .u32(file.modified, file.crc32, zip64 ? IN_ZIP64 : packedSize, zip64 ? IN_ZIP64 : size)
    .u16(byteLength(file.name), extra.length, 0, 0, 0)
    .u32((MODE << 16) >>> 0, zip64 ? IN_ZIP64 : offset)
    .text(file.name)
    .done();
  return concatenate([fixed, extra]);
}

/**
 * APPNOTE 4.3.14 to 4.3.16.
 * @param entries number of files
 * @param bytes size of the directory
 * @param offset offset of the directory
 */
export function endRecords(entries: number, bytes: number, offset: number): Uint8Array {
  const zip64 = offset >= IN_ZIP64;
  const end = new Bytes()
    .u32(0x06054b50)
    .u16(0, 0, entries, entries)
    .u32(bytes, zip64 ? IN_ZIP64 : offset)
    .u16(0)
    .done();
  if (!zip64) return end;
  const record = new Bytes()
    .u32(0x06064b50)
    .u64(44)
    .u16(MADE_BY_UNIX_63, VERSION_ZIP64)
    .u32(0, 0)
    .u64(entries, entries, bytes, offset)
    .u32(0x07064b50, 0)
    .u64(offset + bytes)
    .u32(1)
    .done();
  return concatenate([record, end]);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function flagsOf(file: Placed): number {
  return file.streamed ? FLAG_UTF8 | FLAG_STREAMED : FLAG_UTF8;
}

function needsZip64(file: Placed): boolean {
  return [file.size, file.packedSize, file.offset].some((number) => number >= IN_ZIP64);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
