/**
 * PostgreSQL's binary format of one-dimensional arrays. The driver sends a Buffer as a binary
 * parameter, so `$1::text[]` accepts it without the quoting of text arrays.
 */

const OID = { bool: 16, text: 25, float8: 701, timestamptz: 1184, bytea: 17, uuid: 2950 };
const HEADER_BYTES = 20;
const EMPTY_BYTES = 12;
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_2000_MS = 946_684_800_000;

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** @returns the position after the header */
function writeHeader(view: DataView, oid: number, count: number, hasNull: boolean): number {
  view.setInt32(0, count === 0 ? 0 : 1);
  view.setInt32(4, hasNull ? 1 : 0);
  view.setInt32(8, oid);
  if (count === 0) return EMPTY_BYTES;
  view.setInt32(12, count);
  view.setInt32(16, 1);
  return HEADER_BYTES;
}

function fixed<Item>(
  oid: number,
  width: number,
  items: readonly Item[],
  write: (view: DataView, offset: number, item: Item) => void,
): Buffer {
  const { length } = items;
  const buffer = Buffer.allocUnsafe(
    length === 0 ? EMPTY_BYTES : HEADER_BYTES + length * (4 + width),
  );
  const view = viewOf(buffer);
  let offset = writeHeader(view, oid, length, false);
  for (const item of items) {
    view.setInt32(offset, width);
    write(view, offset + 4, item);
    offset += 4 + width;
  }
  return buffer;
}

/** Texts are written here first where they fit, so that they need not be measured before. */
const scratch = Buffer.allocUnsafeSlow(1024 * 1024);
const MAX_BYTES_PER_UNIT = 3;

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
  const lengths = HEADER_BYTES + items.length * 4;
  const isShort = lengths + units * MAX_BYTES_PER_UNIT <= scratch.length;
  const buffer = isShort ? scratch : Buffer.allocUnsafe(lengths + textBytes(items, value));
  const view = viewOf(buffer);
  let offset = writeHeader(view, OID.text, items.length, hasNull);
  for (const item of items) {
    const text = value(item);
    const length = text === null ? -1 : buffer.write(text, offset + 4);
    view.setInt32(offset, length);
    offset += 4 + Math.max(length, 0);
  }
  const written = buffer.subarray(0, offset);
  return isShort ? Buffer.from(written) : written;
}

function textBytes<Item>(items: readonly Item[], value: (item: Item) => string | null): number {
  return items.reduce((sum, item) => sum + Buffer.byteLength(value(item) ?? ''), 0);
}

/** @param value the UUID as text */
export function uuidArray<Item>(items: readonly Item[], value: (item: Item) => string): Buffer {
  return fixed(OID.uuid, 16, items, (view, offset, item) => {
    writeHex(view, offset, 16, value(item));
  });
}

export function float8Array<Item>(items: readonly Item[], value: (item: Item) => number): Buffer {
  return fixed(OID.float8, 8, items, (view, offset, item) => {
    view.setFloat64(offset, value(item));
  });
}

export function boolArray<Item>(items: readonly Item[], value: (item: Item) => boolean): Buffer {
  return fixed(OID.bool, 1, items, (view, offset, item) => {
    view.setUint8(offset, value(item) ? 1 : 0);
  });
}

/** @param value milliseconds since 1970 */
export function timestampArray<Item>(
  items: readonly Item[],
  value: (item: Item) => number,
): Buffer {
  return fixed(OID.timestamptz, 8, items, (view, offset, item) => {
    view.setBigInt64(offset, BigInt(value(item) - EPOCH_2000_MS) * 1000n);
  });
}

/** @param value bytes in hexadecimal, all of the same length */
export function byteaArray<Item>(
  items: readonly Item[],
  width: number,
  value: (item: Item) => string,
): Buffer {
  return fixed(OID.bytea, width, items, (view, offset, item) => {
    writeHex(view, offset, width, value(item));
  });
}

const DASH = 0x2d;
/** What each character is worth as a hexadecimal digit. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) =>
  Number.parseInt(String.fromCharCode(code), 16),
);

/** Writes bytes from hexadecimal text, between whose bytes dashes may stand. */
function writeHex(view: DataView, offset: number, width: number, text: string): void {
  let at = 0;
  for (let byte = 0; byte < width; byte += 1) {
    if (text.charCodeAt(at) === DASH) at += 1;
    const high = DIGITS[text.charCodeAt(at)] ?? 0;
    const low = DIGITS[text.charCodeAt(at + 1)] ?? 0;
    view.setUint8(offset + byte, high * 16 + low);
    at += 2;
  }
}
