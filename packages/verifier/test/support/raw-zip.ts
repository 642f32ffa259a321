import { crc32 as crcOf, deflateRawSync } from 'node:zlib';

/** One entry of an archive built byte by byte, so that any part of it can be false. */
export interface RawEntry {
  readonly name: string | Buffer;
  readonly data: Buffer;
  readonly deflate?: boolean;
  /** Bytes behind the compressed data, as if they belonged to them. */
  readonly behind?: Buffer;
  readonly method?: number;
  readonly flags?: number;
  readonly attributes?: number;
  readonly comment?: string;
  /** False values in place of the real ones. */
  readonly told?: {
    readonly size?: number;
    readonly packed?: number;
    readonly crc?: number;
    readonly offset?: number;
    readonly localName?: string;
  };
  readonly extra?: Buffer;
}

export interface RawOptions {
  readonly before?: Buffer;
  readonly between?: Buffer;
  readonly after?: Buffer;
  readonly comment?: string;
  readonly disk?: number;
  readonly entries?: number;
  readonly directoryBytes?: number;
}

const PLAIN = (0o100644 << 16) >>> 0;

export function rawZip(entries: readonly RawEntry[], options: RawOptions = {}): Buffer {
  const parts: Buffer[] = [options.before ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let at = parts[0]?.length ?? 0;
  for (const entry of entries) {
    const data = entry.deflate ? deflateRawSync(entry.data) : entry.data;
    const packed = Buffer.concat([data, entry.behind ?? Buffer.alloc(0)]);
    const name = Buffer.from(entry.name);
    const common = commonOf(entry, packed);
    const localName =
      entry.told?.localName === undefined ? name : Buffer.from(entry.told.localName);
    const local = Buffer.concat([
      u32(0x04034b50),
      common,
      u16(localName.length),
      u16(0),
      localName,
      packed,
    ]);
    const central = Buffer.concat([
      u32(0x02014b50),
      u16((3 << 8) | 63),
      common,
      u16(name.length),
      u16(entry.extra?.length ?? 0),
      u16(entry.comment?.length ?? 0),
      u16(0),
      u16(0),
      u32(entry.attributes ?? PLAIN),
      u32(entry.told?.offset ?? at),
      name,
      entry.extra ?? Buffer.alloc(0),
      Buffer.from(entry.comment ?? ''),
    ]);
    directory.push(central);
    parts.push(local, options.between ?? Buffer.alloc(0));
    at += local.length + (options.between?.length ?? 0);
  }
  const all = Buffer.concat(directory);
  const count = options.entries ?? entries.length;
  const comment = Buffer.from(options.comment ?? '');
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(options.disk ?? 0),
    u16(options.disk ?? 0),
    u16(count),
    u16(count),
    u32(options.directoryBytes ?? all.length),
    u32(at),
    u16(comment.length),
    comment,
  ]);
  return Buffer.concat([...parts, all, end, options.after ?? Buffer.alloc(0)]);
}

function commonOf(
  { data, flags = 0x800, method, deflate, told }: RawEntry,
  packed: Buffer,
): Buffer {
  const time = Buffer.concat([u16(0x4bc0), u16(0x5c90)]);
  const sizes = [u32(told?.packed ?? packed.length), u32(told?.size ?? data.length)];
  const crc = u32(told?.crc ?? crcOf(data));
  return Buffer.concat([
    u16(20),
    u16(flags),
    u16(method ?? (deflate ? 8 : 0)),
    time,
    crc,
    ...sizes,
  ]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
