/**
 * PostgreSQL's binary format of one-dimensional arrays. The driver sends a Buffer as a binary
 * parameter, so `$1::text[]` accepts it without the quoting of text arrays.
 */

const OID = { bool: 16, int4: 23, text: 25, float8: 701, timestamptz: 1184, bytea: 17, uuid: 2950 };
const HEADER_BYTES = 20;
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_2000_MS = 946_684_800_000;

function header(buffer: Buffer, oid: number, count: number, hasNull: boolean): number {
  buffer.writeInt32BE(count === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(hasNull ? 1 : 0, 4);
  buffer.writeInt32BE(oid, 8);
  if (count === 0) return 12;
  buffer.writeInt32BE(count, 12);
  buffer.writeInt32BE(1, 16);
  return HEADER_BYTES;
}

function fixed<Item>(
  oid: number,
  width: number,
  items: readonly Item[],
  write: (buffer: Buffer, offset: number, item: Item) => void,
): Buffer {
  const count = items.length;
  const buffer = Buffer.allocUnsafe(count === 0 ? 12 : HEADER_BYTES + count * (4 + width));
  let offset = header(buffer, oid, count, false);
  for (const item of items) {
    buffer.writeInt32BE(width, offset);
    write(buffer, offset + 4, item);
    offset += 4 + width;
  }
  return buffer;
}

/** Most texts are written here and copied, which costs less than measuring them first. */
const scratch = Buffer.allocUnsafeSlow(1024 * 1024);
const MOST_BYTES_PER_UNIT = 3;

/** @param value null is SQL NULL */
export function textArray<Item>(
  items: readonly Item[],
  value: (item: Item) => string | null,
): Buffer {
  let units = 0;
  let hasNull = false;
  for (const item of items) {
    const text = value(item);
    if (text === null) hasNull = true;
    else units += text.length;
  }
  const most = HEADER_BYTES + 4 * items.length + MOST_BYTES_PER_UNIT * units;
  const buffer = most <= scratch.length ? scratch : Buffer.allocUnsafe(bytesOf(items, value));
  let offset = header(buffer, OID.text, items.length, hasNull);
  for (const item of items) {
    const text = value(item);
    const length = text === null ? -1 : buffer.write(text, offset + 4);
    buffer.writeInt32BE(length, offset);
    offset += 4 + Math.max(length, 0);
  }
  const written = buffer.subarray(0, offset);
  return buffer === scratch ? Buffer.from(written) : written;
}

function bytesOf<Item>(items: readonly Item[], value: (item: Item) => string | null): number {
  return items.reduce((sum, item) => sum + 4 + Buffer.byteLength(value(item) ?? ''), HEADER_BYTES);
}

/** @param value the UUID as text */
export function uuidArray<Item>(items: readonly Item[], value: (item: Item) => string): Buffer {
  return fixed(OID.uuid, 16, items, (buffer, offset, item) => {
    buffer.write(value(item).replaceAll('-', ''), offset, 16, 'hex');
  });
}

/** @param value a signed 32-bit integer */
export function int4Array<Item>(items: readonly Item[], value: (item: Item) => number): Buffer {
  return fixed(OID.int4, 4, items, (buffer, offset, item) => {
    buffer.writeInt32BE(value(item), offset);
  });
}

export function float8Array<Item>(items: readonly Item[], value: (item: Item) => number): Buffer {
  return fixed(OID.float8, 8, items, (buffer, offset, item) => {
    buffer.writeDoubleBE(value(item), offset);
  });
}

export function boolArray<Item>(items: readonly Item[], value: (item: Item) => boolean): Buffer {
  return fixed(OID.bool, 1, items, (buffer, offset, item) => {
    buffer.writeUInt8(value(item) ? 1 : 0, offset);
  });
}

/** @param value milliseconds since 1970 */
export function timestampArray<Item>(
  items: readonly Item[],
  value: (item: Item) => number,
): Buffer {
  return fixed(OID.timestamptz, 8, items, (buffer, offset, item) => {
    const micros = BigInt(value(item) - EPOCH_2000_MS) * 1000n;
    buffer.writeBigInt64BE(micros, offset);
  });
}

/** @param value bytes of any length */
export function bytesArray<Item>(
  items: readonly Item[],
  value: (item: Item) => Uint8Array,
): Buffer {
  const size = items.reduce((sum, item) => sum + 4 + value(item).length, HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(size);
  let offset = header(buffer, OID.bytea, items.length, false);
  for (const item of items) {
    const bytes = value(item);
    offset = buffer.writeInt32BE(bytes.length, offset);
    buffer.set(bytes, offset);
    offset += bytes.length;
  }
  return buffer.subarray(0, offset);
}

/** @param value bytes in hexadecimal, all of the same length */
export function byteaArray<Item>(
  items: readonly Item[],
  width: number,
  value: (item: Item) => string,
): Buffer {
  return fixed(OID.bytea, width, items, (buffer, offset, item) => {
    buffer.write(value(item), offset, width, 'hex');
  });
}
