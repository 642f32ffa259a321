/**
 * PostgreSQL's binary format of one-dimensional arrays. The driver sends a Buffer as a binary
 * parameter, so `$1::text[]` accepts it without the quoting of text arrays.
 */

const OID = { bool: 16, text: 25, float8: 701, timestamptz: 1184, bytea: 17, uuid: 2950 };
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

function fixed(
  oid: number,
  width: number,
  count: number,
  write: (buffer: Buffer, offset: number, index: number) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(count === 0 ? 12 : HEADER_BYTES + count * (4 + width));
  let offset = header(buffer, oid, count, false);
  for (let index = 0; index < count; index += 1) {
    buffer.writeInt32BE(width, offset);
    write(buffer, offset + 4, index);
    offset += 4 + width;
  }
  return buffer;
}

/** @param value null is SQL NULL */
export function textArray<Item>(
  items: readonly Item[],
  value: (item: Item) => string | null,
): Buffer {
  let bytes = HEADER_BYTES;
  let hasNull = false;
  for (const item of items) {
    const text = value(item);
    bytes += 4;
    if (text === null) hasNull = true;
    else bytes += Buffer.byteLength(text);
  }
  const buffer = Buffer.allocUnsafe(bytes);
  let offset = header(buffer, OID.text, items.length, hasNull);
  for (const item of items) {
    const text = value(item);
    const length = text === null ? -1 : buffer.write(text, offset + 4);
    buffer.writeInt32BE(length, offset);
    offset += 4 + Math.max(length, 0);
  }
  return buffer.subarray(0, offset);
}

/** @param value the UUID as text */
export function uuidArray<Item>(items: readonly Item[], value: (item: Item) => string): Buffer {
  return fixed(OID.uuid, 16, items.length, (buffer, offset, index) => {
    buffer.write(value(at(items, index)).replaceAll('-', ''), offset, 16, 'hex');
  });
}

export function float8Array<Item>(items: readonly Item[], value: (item: Item) => number): Buffer {
  return fixed(OID.float8, 8, items.length, (buffer, offset, index) => {
    buffer.writeDoubleBE(value(at(items, index)), offset);
  });
}

export function boolArray<Item>(items: readonly Item[], value: (item: Item) => boolean): Buffer {
  return fixed(OID.bool, 1, items.length, (buffer, offset, index) => {
    buffer.writeUInt8(value(at(items, index)) ? 1 : 0, offset);
  });
}

/** @param value milliseconds since 1970 */
export function timestampArray<Item>(
  items: readonly Item[],
  value: (item: Item) => number,
): Buffer {
  return fixed(OID.timestamptz, 8, items.length, (buffer, offset, index) => {
    const micros = BigInt(value(at(items, index)) - EPOCH_2000_MS) * 1000n;
    buffer.writeBigInt64BE(micros, offset);
  });
}

/** @param value bytes in hexadecimal, all of the same length */
export function byteaArray<Item>(
  items: readonly Item[],
  width: number,
  value: (item: Item) => string,
): Buffer {
  return fixed(OID.bytea, width, items.length, (buffer, offset, index) => {
    buffer.write(value(at(items, index)), offset, width, 'hex');
  });
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no element ${index}`);
  return item;
}
