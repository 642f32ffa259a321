import { endOfString, STEP } from './gate-text.js';
import { type JsonValue, numberProblem } from './json.js';

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

/** Counts what a JSON text contains. If it is not JSON, only `isTooDeep` has a meaning. */
export class TextCount {
  /** Members of all objects. */
  keys = 0;
  /** Each comma and each non-empty container adds one value. */
  values = 1;
  /** Whether a 64-bit float represents every number. */
  isFaithful = true;
  /** The count ends at the first container that is too deep. */
  isTooDeep = false;
  readonly #text: string;
  readonly #maxDepth: number;
  #depth = 0;
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  /**
   * Counts up to the next pause.
   * @returns whether the count is complete
   */
  goOn(): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + STEP);
    // Fields are written once: in the loop they would cost more than the rest of it.
    let [at, keys, values, depth] = [this.#at, this.keys, this.values, this.#depth];
    while (at < end) {
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
        at = this.#number(at);
      } else {
        const folded = code | FOLD;
        at++;
        if (folded === OPEN) {
          depth++;
          if (depth > this.#maxDepth) {
            this.isTooDeep = true;
            return true;
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
    this.keys = keys;
    this.values = values;
    this.#depth = depth;
    this.#at = at;
    return at >= text.length;
  }

  /** The position after the number that starts at `start`. */
  #number(start: number): number {
    const text = this.#text;
    const at = endOfDigits(text, start + 1);
    if (at - start <= SHORT_NUMBER && (text.charCodeAt(at) | FOLD) !== LETTER_E) {
      return at;
    }
    NUMBER_CHARACTERS.lastIndex = start;
    const token = NUMBER_CHARACTERS.exec(text)?.[0] ?? '';
    this.isFaithful &&= numberProblem(token) === null;
    return start + token.length;
  }
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

/** Counts the members of all objects of a value. */
export class ValueCount {
  keys = 0;
  readonly #open: JsonValue[];

  constructor(value: JsonValue) {
    this.#open = [value];
  }

  /**
   * Counts up to the next pause.
   * @returns whether the count is complete
   */
  goOn(): boolean {
    const open = this.#open;
    let keys = 0;
    let left = STEP;
    let next = open.pop();
    for (; next !== undefined && left > 0; next = open.pop()) {
      left--;
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
    this.keys += keys;
    if (next === undefined) return true;
    open.push(next);
    return false;
  }
}
