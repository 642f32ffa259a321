import type { JsonValue } from './gate.js';
import { quote, refuseSurrogates } from './json.js';

type Container = JsonValue[] | { [key: string]: JsonValue };

interface Frame {
  readonly container: Container;
  /** Keys in canonical order; null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
}

/** Native stringification is recursive: deeper values are written by an iterative loop. */
const MAX_NATIVE_DEPTH = 200;

/**
 * Serialises a value with the JSON Canonicalization Scheme (RFC 8785): no white space, keys in UTF-16
 * code unit order, numbers and strings as in ECMAScript. The depth is not limited.
 *
 * @returns the canonical text; its UTF-8 bytes are hashed
 * @throws TypeError if the value contains anything that JSON cannot express: NaN and infinities,
 *   undefined, functions, symbols, big integers, lone surrogates, cycles, and objects that are not
 *   plain (dates, maps, class instances)
 * @example
 * ```ts
 * import { canonicalJson } from '@decision-ledger/proof/canonical';
 *
 * canonicalJson({ b: [1.0, true], a: 'x' }); // => '{"a":"x","b":[1,true]}'
 * ```
 */
export function canonicalJson(value: JsonValue): string {
  return refuseSurrogates(isInOrder(value, 1) ? JSON.stringify(value) : write(value));
}

/** Whether native stringification gives the canonical text; throws for values that are not JSON. */
function isInOrder(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    checkScalar(value);
    return true;
  }
  if (depth > MAX_NATIVE_DEPTH) {
    return false;
  }
  checkContainer(value);
  if (Array.isArray(value)) {
    // An index loop also visits the holes of a sparse array.
    for (let i = 0; i < value.length; i++) {
      if (!isInOrder(itemOf(value, i), depth + 1)) {
        return false;
      }
    }
    return true;
  }
  let previous = '';
  for (const key of Object.keys(value)) {
    if (key < previous || !isInOrder(memberOf(value, key), depth + 1)) {
      return false;
    }
    previous = key;
  }
  return true;
}

function write(root: JsonValue): string {
  const frames: Frame[] = [];
  let text = '';
  let value = root;
  for (;;) {
    if (typeof value === 'object' && value !== null) {
      text += openFrame(frames, value);
    } else {
      checkScalar(value);
      text += typeof value === 'string' ? quote(value) : String(value);
    }
    let frame = frames.at(-1);
    while (frame !== undefined && frame.next === frame.length) {
      text += frame.keys === null ? ']' : '}';
      frames.pop();
      frame = frames.at(-1);
    }
    if (frame === undefined) {
      return text;
    }
    const index = frame.next++;
    if (index > 0) {
      text += ',';
    }
    const { container } = frame;
    if (Array.isArray(container)) {
      value = itemOf(container, index);
    } else {
      const key = frame.keys?.[index] ?? '';
      text += `${quote(key)}:`;
      value = memberOf(container, key);
    }
  }
}

function openFrame(frames: Frame[], container: Container): string {
  checkContainer(container);
  const depth = frames.length;
  // A cycle has infinite depth, so it suffices to check whenever the depth has doubled.
  if (depth > MAX_NATIVE_DEPTH && (depth & (depth - 1)) === 0) {
    refuseCycle(frames);
  }
  if (Array.isArray(container)) {
    frames.push({ container, keys: null, length: container.length, next: 0 });
    return '[';
  }
  // The default order of sort() is by UTF-16 code units.
  const keys = Object.keys(container).sort();
  frames.push({ container, keys, length: keys.length, next: 0 });
  return '{';
}

// For callers without type checking, whose arrays may have holes.
function itemOf(array: JsonValue[], index: number): JsonValue {
  const item = array[index];
  return item === undefined ? refuse('undefined') : item;
}

function memberOf(object: { [key: string]: JsonValue }, key: string): JsonValue {
  const member = object[key];
  return member === undefined ? refuse('undefined') : member;
}

function checkScalar(value: unknown): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      refuse(String(value));
    }
    return;
  }
  refuse(typeof value);
}

function checkContainer(container: Container): void {
  const prototype: unknown = Object.getPrototypeOf(container);
  const isPlain = Array.isArray(container)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null;
  if (!isPlain) {
    refuse('an object that is neither plain nor an array');
  }
}

function refuseCycle(frames: readonly Frame[]): void {
  if (new Set(frames.map((frame) => frame.container)).size < frames.length) {
    refuse('a value that contains itself');
  }
}

function refuse(what: string): never {
  throw new TypeError(`JSON cannot express ${what}.`);
}
