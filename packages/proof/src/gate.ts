/// <reference lib="es2024.string" />
import { buildJson, hasEscapeAsKey } from './gate-build.js';
import { GateError } from './gate-error.js';
import { scanJson } from './gate-scan.js';
import { endOfString } from './gate-string.js';
import type { JsonValue } from './json-value.js';
import { numberProblem } from './number.js';

export type { JsonValue } from './json-value.js';
export { GateError };

/** Maximum nesting of containers in a value; a scalar has depth 0. */
export const MAX_DEPTH = 64;

// An escape that may yield U+0000, a character of `__proto__` or half of a surrogate pair.
const DELICATE_ESCAPE = /\\u(?:00(?:00|5f|6f|7[024])|d[89a-f])/i;

/** Limits on the content of a JSON text, independent of its bytes. */
export interface SizeLimits {
  /** Scalars, objects and arrays. */
  readonly values: number;
  /** Members of all objects. They need far more memory than values. */
  readonly members: number;
}

/** Maximum nesting of values that are not used. */
const DEEPEST = 10_000;

const UNLIMITED: SizeLimits = {
  values: Number.POSITIVE_INFINITY,
  members: Number.POSITIVE_INFINITY,
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
// '[' and '{', and ']' and '}', and 'E' and 'e', differ in this bit.
const FOLD = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const LETTER_E = 0x65;

/** Any number of at most this length without an exponent is represented faithfully. */
const SHORT_NUMBER = 15;
const NUMBER_CHARACTERS = /[-+.\deE]+/y;

const TOO_DEEP = -1;
const UNFAITHFUL = -2;
const TOO_MANY_VALUES = -3;
const TOO_MANY_MEMBERS = -4;

/**
 * Parses a JSON text and refuses values that cannot be represented faithfully: duplicate keys, the key
 * `__proto__`, numbers that a 64-bit float would change, lone surrogates, U+0000 and excessive depth.
 *
 * @param text the JSON text, decoded from UTF-8
 * @param maxDepth maximum nesting of containers, including the outermost one. A caller that allows
 *   MAX_DEPTH for a field adds the containers around it.
 * @param limits checked before anything is built; default: no limits
 * @returns the value; its objects have no key `__proto__`
 * @throws GateError of kind `syntax` if the text is not JSON (RFC 8259), with the position in the
 *   message and an empty path; of kind `oversized` with an empty path if it exceeds the limits; else of
 *   kind `unrepresentable` with the path of the value. Excessive depth or size takes precedence over
 *   other problems.
 * @example
 * ```ts
 * import { parseJson } from '@decision-ledger/proof/gate';
 *
 * parseJson('{"amount":12.5}'); // => { amount: 12.5 }
 * parseJson('[[1]]', 2); // => [[1]]
 * // parseJson('{"a":1,"a":2}') throws a GateError, because a key appears twice.
 * ```
 */
export function parseJson(
  text: string,
  maxDepth: number = MAX_DEPTH,
  limits: SizeLimits = UNLIMITED,
): JsonValue {
  const steps = parseSteps(text, maxDepth, limits);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Like `parseJson`, but awaits `pause` between the passes over the text, so that a large text does not
 * block the event loop.
 *
 * @param pause lets other work run
 * @example
 * ```ts
 * import { setImmediate as pause } from 'node:timers/promises';
 * import { MAX_DEPTH, parseJsonInTurns } from '@decision-ledger/proof/gate';
 *
 * const limits = { values: 100_000, members: 50_000 };
 * await parseJsonInTurns('{"amount":12.5}', MAX_DEPTH, limits, pause); // => { amount: 12.5 }
 * ```
 */
export async function parseJsonInTurns(
  text: string,
  maxDepth: number,
  limits: SizeLimits,
  pause: () => Promise<unknown>,
): Promise<JsonValue> {
  const steps = parseSteps(text, maxDepth, limits);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

/**
 * Parses a JSON text of which only some values are used: those are checked as by `parseJson`, and all
 * others may be anything that is JSON. A depth of 10,000 is refused anywhere.
 *
 * @param isRead whether the value at a path is used, or a value within it; the path has at most 8 keys
 * @throws GateError as `parseJson`, for values that are read
 * @example
 * ```ts
 * import { parseJsonPartly } from '@decision-ledger/proof/gate';
 *
 * parseJsonPartly('{"id":"a","note":"\\u0000"}', ([first]) => first === 'id');
 * // => { id: 'a', note: '\u0000' }
 * ```
 */
export function parseJsonPartly(
  text: string,
  isRead: (path: readonly (string | number)[]) => boolean,
): JsonValue {
  scanJson(text, { purpose: 'meaning', maxDepth: DEEPEST, isRead });
  return JSON.parse(text);
}

/**
 * Refuses a text that exceeds limits on its content, without parsing it.
 *
 * @throws GateError of kind `oversized`
 * @example
 * ```ts
 * import { requireSize } from '@decision-ledger/proof/gate';
 *
 * requireSize('[1,2]', { values: 3, members: 0 }); // => undefined
 * ```
 */
export function requireSize(text: string, limits: SizeLimits): void {
  refuseOversized(countKeysOfText(text, Number.POSITIVE_INFINITY, limits), limits);
}

/** Yields between the passes over the text. */
function* parseSteps(
  text: string,
  maxDepth: number,
  limits: SizeLimits,
): Generator<void, JsonValue, void> {
  const written = countKeysOfText(text, maxDepth, limits);
  if (written === TOO_DEEP) {
    // Native parsing of a million brackets takes half a second, so it is avoided.
    scanJson(text, { purpose: 'meaning', maxDepth });
  }
  refuseOversized(written, limits);
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    scanJson(text, { purpose: 'syntax' });
    throw new GateError('syntax', '', 'The text is not valid JSON.');
  }
  if (text.includes('\\') && hasEscapeAsKey(text)) {
    yield;
    scanJson(text, { purpose: 'meaning', maxDepth });
    yield;
    return buildJson(text);
  }
  // A duplicate key is written more often than it is stored.
  if (!hasPlainStrings(text) || written !== countKeysOfValue(value)) {
    yield;
    scanJson(text, { purpose: 'meaning', maxDepth });
  }
  return value;
}

/** Whether no string can contain a refused character. A quick check that may suspect valid texts. */
function hasPlainStrings(text: string): boolean {
  return (
    text.isWellFormed() &&
    !text.includes('__proto__') &&
    !(text.includes('\\u') && DELICATE_ESCAPE.test(text))
  );
}

function refuseOversized(written: number, { values, members }: SizeLimits): void {
  if (written !== TOO_MANY_VALUES && written !== TOO_MANY_MEMBERS) return;
  const what =
    written === TOO_MANY_VALUES
      ? `${values} values, counting each number, text, object, array and so on`
      : `${members} members of objects`;
  throw new GateError('oversized', '', `The text contains more than ${what}. Send it in parts.`);
}

/**
 * The number of members in a JSON text, or TOO_DEEP, UNFAITHFUL, TOO_MANY_VALUES or TOO_MANY_MEMBERS
 * for such a problem. If the text is not JSON, a number or UNFAITHFUL is meaningless.
 */
function countKeysOfText(text: string, maxDepth: number, limits: SizeLimits): number {
  const length = text.length;
  let keys = 0;
  let depth = 0;
  // Each comma and each non-empty container adds one value.
  let values = 1;
  let isFaithful = true;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code === COLON) {
      keys++;
      at++;
    } else if (code === COMMA) {
      values++;
      at++;
    } else if (code === MINUS || (code >= DIGIT_0 && code <= DIGIT_9)) {
      const start = at;
      at = endOfDigits(text, at + 1);
      if (at - start > SHORT_NUMBER || (text.charCodeAt(at) | FOLD) === LETTER_E) {
        NUMBER_CHARACTERS.lastIndex = start;
        const token = NUMBER_CHARACTERS.exec(text)?.[0] ?? '';
        isFaithful &&= numberProblem(token) === null;
        at = start + token.length;
      }
    } else {
      const folded = code | FOLD;
      at++;
      if (folded === OPEN) {
        depth++;
        if (depth > maxDepth) {
          return TOO_DEEP;
        }
        at = endOfSpace(text, at);
        if ((text.charCodeAt(at) | FOLD) !== CLOSE) {
          values++;
        }
      } else if (folded === CLOSE) {
        depth--;
      }
    }
  }
  if (values > limits.values) {
    return TOO_MANY_VALUES;
  }
  if (keys > limits.members) {
    return TOO_MANY_MEMBERS;
  }
  return isFaithful ? keys : UNFAITHFUL;
}

function endOfSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      return at;
    }
    at++;
  }
}

/** The position after the digits and points that start at `at`. */
function endOfDigits(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== POINT && !(code >= DIGIT_0 && code <= DIGIT_9)) {
      return at;
    }
    at++;
  }
}

function countKeysOfValue(value: JsonValue): number {
  let keys = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== 'object') {
      continue;
    }
    if (Array.isArray(next)) {
      for (const item of next) {
        if (typeof item === 'object') {
          open.push(item);
        }
      }
    } else {
      for (const key in next) {
        keys++;
        const member = next[key];
        if (typeof member === 'object') {
          open.push(member);
        }
      }
    }
  }
  return keys;
}
