import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Clock } from './clock.js';

/**
 * Public ids: a prefix, `_`, and a UUID as 26 characters of lower-case Crockford base32 (the TypeID
 * text form, https://github.com/jetify-com/typeid, version 0.3). The database stores the UUID; text
 * and UUID have the same order.
 */
export type IdPrefix =
  | 'dec'
  | 'evt'
  | 'lnk'
  | 'exp'
  | 'key'
  | 'org'
  | 'act'
  | 'req'
  | 'led'
  | 'job'
  | 'ses'
  | 'upl';

/** Creates new ids. */
export interface IdFactory {
  /** A new id, such as `dec_01h455vb4pex5vsknk084sn02q`; each sorts after the previous one. */
  next(prefix: IdPrefix): string;
  /** A new UUIDv7, for use with `uuidToId`. */
  uuid(): string;
}

/** The clock and the source of randomness of a factory. */
export interface IdFactoryOptions {
  readonly clock: Clock;
  /** Returns `size` random bytes; default: node:crypto. */
  readonly randomBytes?: (size: number) => Uint8Array;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TEXT_LENGTH = 26;
const POOL_BYTES = 8190;
const TAIL_BYTES = 6;
const COUNTER_BITS = 26;
const TWO_20 = 2 ** 20;
const TWO_40 = 2 ** 40;

// 20 bits are five hexadecimal digits and four base32 characters, so a UUID is converted as its first
// byte and six such groups, with lookup tables and without big integers.
const PAIRS = Array.from(
  { length: 1024 },
  (_, n) => ALPHABET.charAt(n >>> 5) + ALPHABET.charAt(n & 31),
);
const HEX_2 = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));
const HEX_3 = Array.from({ length: 4096 }, (_, n) => n.toString(16).padStart(3, '0'));
const HEX_VALUES = characterValues('0123456789abcdef');
const BASE32_VALUES = characterValues(ALPHABET);
for (const letter of 'abcdef') {
  HEX_VALUES[letter.toUpperCase().charCodeAt(0)] = Number.parseInt(letter, 16);
}

/**
 * Creates UUIDv7 ids (RFC 9562, 5.7) that sort in order of creation. A 26-bit counter follows the
 * millisecond; it starts at a random value in the lower half of its range and is incremented per id
 * (6.2, method 1). Each id ends with 48 fresh random bits. If the clock stalls or goes back, the last
 * millisecond is kept; if the counter overflows, the next millisecond is used.
 */
export function createIdFactory(options: IdFactoryOptions): IdFactory {
  const { clock, randomBytes = systemRandomBytes } = options;
  let pool: Buffer = Buffer.alloc(0);
  let used = 0;
  let millisecond = -1;
  let timeText = '';
  let timeHex = '';
  let counter = 0;

  function reserve(size: number): number {
    if (used + size > pool.length) {
      const bytes = randomBytes(POOL_BYTES);
      pool = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      used = 0;
    }
    const start = used;
    used += size;
    return start;
  }

  function enter(next: number): void {
    millisecond = next;
    const first = Math.floor(next / TWO_40);
    const middle = Math.floor(next / TWO_20) % TWO_20;
    const last = next % TWO_20;
    timeText = pair(first) + quad(middle) + quad(last);
    const hex = hex2(first) + hex5(middle) + hex5(last);
    timeHex = `${hex.slice(0, 8)}-${hex.slice(8)}`;
    const start = reserve(4);
    counter = pool.readUInt32BE(start) >>> (32 - COUNTER_BITS + 1);
  }

  function tick(): void {
    const now = Math.floor(clock.now());
    if (now > millisecond) {
      enter(now);
    } else {
      counter += 1;
      if (counter >>> COUNTER_BITS !== 0) enter(millisecond + 1);
    }
  }

  /** Version 7, 12 bits of the counter, variant 10, the other 14 counter bits, 48 random bits. */
  function groups(): readonly [number, number, number, number] {
    tick();
    const start = reserve(TAIL_BYTES);
    const high = pool.readUInt16BE(start);
    const low = pool.readUInt32BE(start + 2);
    const versioned = (7 << 16) | ((counter >>> 14) << 4) | 8 | ((counter >>> 12) & 3);
    const counted = ((counter & 0xfff) << 8) | (high >>> 8);
    const mixed = ((high & 0xff) << 12) | (low >>> 20);
    return [versioned, counted, mixed, low & 0xfffff];
  }

  return {
    next(prefix) {
      const [a, b, c, d] = groups();
      return `${prefix}_${timeText}${quad(a)}${quad(b)}${quad(c)}${quad(d)}`;
    },
    uuid() {
      const [a, b, c, d] = groups();
      return `${timeHex}-${hyphenated(hex5(a) + hex5(b) + hex5(c) + hex5(d))}`;
    },
  };
}

/**
 * The public id of a UUID in the database's 36-character form.
 * Throws a TypeError for any other text.
 */
export function uuidToId(prefix: IdPrefix, uuid: string): string {
  const first = (hexAt(uuid, 0) << 4) | hexAt(uuid, 1);
  const a = hexGroup(uuid, 2, 3, 4, 5, 6);
  const b = hexGroup(uuid, 7, 9, 10, 11, 12);
  const c = hexGroup(uuid, 14, 15, 16, 17, 19);
  const d = hexGroup(uuid, 20, 21, 22, 24, 25);
  const e = hexGroup(uuid, 26, 27, 28, 29, 30);
  const f = hexGroup(uuid, 31, 32, 33, 34, 35);
  // A negative value in any group makes the whole expression negative.
  if ((first | a | b | c | d | e | f) < 0 || !hasUuidShape(uuid)) {
    throw new TypeError('not a UUID');
  }
  return `${prefix}_${pair(first)}${quad(a)}${quad(b)}${quad(c)}${quad(d)}${quad(e)}${quad(f)}`;
}

/**
 * The UUID of a public id, lower-case with hyphens. Returns null if the prefix, the length or a
 * character is wrong (upper case included), or if the value exceeds 128 bits.
 */
export function idToUuid(prefix: IdPrefix, id: string): string | null {
  const start = prefix.length + 1;
  if (id.length !== start + TEXT_LENGTH || !id.startsWith(prefix)) return null;
  if (id.charCodeAt(prefix.length) !== 0x5f) return null;
  const first = (base32At(id, start) << 5) | base32At(id, start + 1);
  const a = base32Group(id, start + 2);
  const b = base32Group(id, start + 6);
  const c = base32Group(id, start + 10);
  const d = base32Group(id, start + 14);
  const e = base32Group(id, start + 18);
  const f = base32Group(id, start + 22);
  if ((first | a | b | c | d | e | f) < 0 || first > 0xff) return null;
  const head = hex2(first) + hex5(a) + hex5(b);
  const tail = hex5(c) + hex5(d) + hex5(e) + hex5(f);
  return `${head.slice(0, 8)}-${head.slice(8)}-${hyphenated(tail)}`;
}

function characterValues(alphabet: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let n = 0; n < alphabet.length; n += 1) values[alphabet.charCodeAt(n)] = n;
  return values;
}

function hasUuidShape(uuid: string): boolean {
  return (
    uuid.length === 36 &&
    uuid.charCodeAt(8) === 0x2d &&
    uuid.charCodeAt(13) === 0x2d &&
    uuid.charCodeAt(18) === 0x2d &&
    uuid.charCodeAt(23) === 0x2d
  );
}

function hexAt(text: string, at: number): number {
  return HEX_VALUES[text.charCodeAt(at)] ?? -1;
}

function hexGroup(text: string, a: number, b: number, c: number, d: number, e: number): number {
  return (
    (hexAt(text, a) << 16) |
    (hexAt(text, b) << 12) |
    (hexAt(text, c) << 8) |
    (hexAt(text, d) << 4) |
    hexAt(text, e)
  );
}

function base32At(text: string, at: number): number {
  return BASE32_VALUES[text.charCodeAt(at)] ?? -1;
}

function base32Group(text: string, at: number): number {
  return (
    (base32At(text, at) << 15) |
    (base32At(text, at + 1) << 10) |
    (base32At(text, at + 2) << 5) |
    base32At(text, at + 3)
  );
}

function hyphenated(tail: string): string {
  return `${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}`;
}

function pair(n: number): string {
  return PAIRS[n & 1023] ?? '';
}

function quad(n: number): string {
  return pair(n >>> 10) + pair(n);
}

function hex2(n: number): string {
  return HEX_2[n] ?? '';
}

function hex5(n: number): string {
  return hex2(n >>> 12) + (HEX_3[n & 0xfff] ?? '');
}
