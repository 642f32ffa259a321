/// <reference lib="es2024.string" />
import { buildJson, hasEscapeAsKey } from './gate-build.js';
import { GateError } from './gate-error.js';
import { scanJson } from './gate-scan.js';
import { endOfString } from './gate-string.js';
import type { JsonValue } from './json-value.js';
import { numberProblem } from './number.js';

export type { JsonValue } from './json-value.js';
export { GateError };

/** How many containers may stand inside each other in one value; a scalar has depth 0. */
export const MAX_DEPTH = 64;

// An escape that may make U+0000, a character of `__proto__` or half of a surrogate pair.
const DELICATE_ESCAPE = /\\u(?:00(?:00|5f|6f|7[024])|d[89a-f])/i;

/** How much a JSON text may hold, whatever its bytes. */
export interface SizeLimits {
  /** Scalars, objects and arrays together. */
  readonly values: number;
  /** Members of all objects together. Their names cost far more than values do. */
  readonly members: number;
}

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

/** Any number written without an exponent in so few characters is kept faithfully. */
const SHORT_NUMBER = 15;
const NUMBER_CHARACTERS = /[-+.\deE]+/y;

const TOO_DEEP = -1;
const UNFAITHFUL = -2;
const TOO_MANY_VALUES = -3;
const TOO_MANY_MEMBERS = -4;

/**
 * Reads a JSON text and refuses what could not be represented faithfully: duplicate keys, the key
 * `__proto__`, numbers that a 64-bit float would change, lone surrogates, U+0000 and depth.
 *
 * @param text the JSON text, already decoded from UTF-8
 * @param maxDepth containers allowed inside each other, the outermost one counted. A caller that
 *   lets a field be MAX_DEPTH deep adds the containers around that field.
 * @param limits what is counted before anything is built; without limits unless told
 * @returns the value; its objects never hold a key `__proto__`
 * @throws GateError of kind `syntax` when the text is not JSON (RFC 8259), with the place in the
 *   message and an empty path; of kind `oversized` with an empty path when it exceeds the limits;
 *   of kind `unrepresentable` with the path of the value otherwise.
 *   A text that is too deep or holds too much is refused for that, whatever follows.
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
 * Does what `parseJson` does and waits for `pause` between the passes over the text, so that a large
 * text does not hold the event loop for all of them together.
 *
 * @param pause lets other work have its turn
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

/** Yields between passes over the text. */
function* parseSteps(
  text: string,
  maxDepth: number,
  limits: SizeLimits,
): Generator<void, JsonValue, void> {
  const written = countKeysOfText(text, maxDepth, limits);
  if (written === TOO_DEEP) {
    // Native parsing of a million brackets takes half a second: do not let it begin.
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
  // A duplicate key is written more often than it is kept.
  if (!hasPlainStrings(text) || written !== countKeysOfValue(value)) {
    yield;
    scanJson(text, { purpose: 'meaning', maxDepth });
  }
  return value;
}

/** Whether no string can hold what is refused: a quick look that may suspect a good text. */
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
  throw new GateError('oversized', '', `The text holds more than ${what}. Send it in parts.`);
}

/**
 * Number of members written in a JSON text; TOO_DEEP, UNFAITHFUL, TOO_MANY_VALUES or
 * TOO_MANY_MEMBERS when there is such a problem. Of a text that is not JSON, UNFAITHFUL and a number
 * mean nothing.
 */
function countKeysOfText(text: string, maxDepth: number, limits: SizeLimits): number {
  const length = text.length;
  let keys = 0;
  let depth = 0;
  // Each comma and each container that is not empty stands for one value more.
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

/** Position behind the digits and points that start at `at`. */
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
