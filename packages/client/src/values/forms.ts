import { MarkedText, Pairs } from './json-text.js';

export type Scalar = null | boolean | number | string;

/** What JSON can hold of a value. `isExact`: nothing of it is lost. */
export type Form = ScalarForm | Container;

interface ScalarForm {
  readonly kind: 'scalar';
  readonly value: Scalar;
  readonly isExact: boolean;
}

/** A list, or members with a key for each value. Without `values`, they are read from the source when their turn comes. */
export interface Container {
  readonly kind: 'list' | 'members';
  readonly source: object;
  readonly keys: readonly unknown[];
  readonly values: ArrayLike<unknown> | null;
  readonly length: number;
  readonly isExact: boolean;
}

/** A SHA-256 in hexadecimal; undefined if more bytes were hashed already than may be. */
export type Digest = (bytes: Uint8Array) => string | undefined;

/** What throws when it is read. */
export const UNREADABLE: Form = marked('[unreadable]');

/**
 * Says what JSON can hold of a value.
 * @throws what the value throws when it is read
 */
export function formOf(value: unknown, digest: Digest): Form {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return exact(value);
    case 'number':
      return numberForm(value);
    case 'bigint':
      return integerForm(value);
    case 'undefined':
      return marked(null);
    case 'symbol':
      return marked(String(value));
    case 'object':
      return value === null ? exact(null) : objectForm(value, digest);
    default:
      return marked('[function]');
  }
}

/** The text of a key that is none. */
export function keyText(key: unknown): string {
  if (typeof key === 'string') return key;
  const form = formOf(key, () => undefined);
  return form.kind === 'scalar' ? String(form.value) : `[${nameOf(form.source)}]`;
}

function exact(value: Scalar): Form {
  return { kind: 'scalar', value, isExact: true };
}

function marked(value: Scalar): Form {
  return { kind: 'scalar', value, isExact: false };
}

/** Beyond 2^53 - 1, readers lose digits. */
function numberForm(value: number): Form {
  const isFaithful = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (!isFaithful) return marked(String(value));
  return exact(value === 0 ? 0 : value);
}

/** Beyond it, decimal digits take more than linear time. */
const MAX_DECIMAL = 10n ** 4300n;

function integerForm(value: bigint): Form {
  const size = value < 0n ? -value : value;
  if (size <= Number.MAX_SAFE_INTEGER) return exact(Number(value));
  if (size < MAX_DECIMAL) return marked(value.toString());
  return marked(`${value < 0n ? '-' : ''}0x${size.toString(16)}`);
}

function objectForm(value: object, digest: Digest): Form {
  // Most are plain: they need not be compared with each class.
  const known = isOfObject(value) ? null : knownForm(value, digest);
  if (known !== null) return known;
  const convert: unknown = Reflect.get(value, 'toJSON');
  if (typeof convert !== 'function') return membersForm(value);
  const converted: unknown = Reflect.apply(convert, value, ['']);
  if (typeof converted !== 'object' || converted === null) return formOf(converted, digest);
  return knownForm(converted, digest) ?? membersForm(converted);
}

function isOfObject(value: object): boolean {
  return Reflect.getPrototypeOf(value) === Object.prototype;
}

/** The form of what has one of its own. What errors and bytes say in their `toJSON` is too much. */
function knownForm(value: object, digest: Digest): Form | null {
  if (Array.isArray(value)) return list(value, value, true);
  if (value instanceof MarkedText) return marked(value.text);
  if (value instanceof Pairs) return pairs(value, value.entries);
  if (value instanceof Date) return dateForm(value);
  if (value instanceof Error) {
    return members({ type: String(value.name), message: String(value.message) }, false);
  }
  const bytes = bytesOf(value);
  if (bytes !== null) return bytesForm(bytes, digest);
  if (isNumbers(value)) return list(value, value, true);
  if (value instanceof Map) return pairs(value, [...Map.prototype.entries.call(value)]);
  if (value instanceof Set) return list(value, [...Set.prototype.values.call(value)], false);
  if (value instanceof Number) return numberForm(Number.prototype.valueOf.call(value));
  if (value instanceof String) return exact(String.prototype.valueOf.call(value));
  return value instanceof Boolean ? exact(Boolean.prototype.valueOf.call(value)) : null;
}

function dateForm(date: Date): Form {
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? marked('Invalid Date') : exact(new Date(time).toISOString());
}

function bytesOf(value: object): Uint8Array | null {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return null;
  const isBytes =
    value instanceof Uint8Array || value instanceof Uint8ClampedArray || value instanceof DataView;
  return isBytes ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : null;
}

function bytesForm(bytes: Uint8Array, digest: Digest): Form {
  const sha256 = digest(bytes);
  const named = sha256 === undefined ? {} : { sha256 };
  return members({ $degraded: 'bytes', ...named, size: bytes.byteLength }, false);
}

function isNumbers(value: object): value is ArrayBufferView & ArrayLike<unknown> {
  return ArrayBuffer.isView(value) && 'length' in value;
}

/** A class may hide what is in its objects. */
function membersForm(value: object): Form {
  if (isOfObject(value)) return members(value, true);
  if (isIterator(value)) return marked('[generator]');
  const prototype: unknown = Reflect.getPrototypeOf(value);
  const isPlain =
    typeof prototype !== 'object' ||
    prototype === null ||
    Reflect.getPrototypeOf(prototype) === null;
  const found = members(value, isPlain);
  return isPlain || found.keys.length > 0 ? found : marked(textOf(value));
}

function isIterator(value: object): boolean {
  if (typeof Reflect.get(value, 'next') !== 'function') return false;
  return Symbol.iterator in value || Symbol.asyncIterator in value;
}

function textOf(value: object): string {
  const write: unknown = Reflect.get(value, 'toString');
  const isOwn = typeof write === 'function' && write !== Object.prototype.toString;
  return isOwn ? String(value) : `[${nameOf(value)}]`;
}

function nameOf(value: object): string {
  const make: unknown = Reflect.get(value, 'constructor');
  return typeof make === 'function' ? String(make.name) : 'object';
}

function list(source: object, values: ArrayLike<unknown>, isExact: boolean): Container {
  return { kind: 'list', source, keys: [], values, length: Number(values.length), isExact };
}

function members(source: object, isExact: boolean): Container {
  const keys = Object.keys(source);
  return { kind: 'members', source, keys, values: null, length: keys.length, isExact };
}

/** With all keys, also those that are repeated. */
function pairs(source: object, entries: readonly (readonly [unknown, unknown])[]): Container {
  const keys = entries.map(([key]) => key);
  const values = entries.map(([, value]) => value);
  return { kind: 'members', source, keys, values, length: keys.length, isExact: true };
}
