import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { UPLOAD_MEMBER } from '@decision-ledger/proof/upload';

/** What is kept at each depth, so that what lies deep does not crowd out what stands above it. */
const KEPT = { members: 200, bytes: 8 * 1024 };
const DEPTH = 8;
/** Of an array. */
const MAX_ELEMENTS = 20;
const MAX_TEXT = 4000;
const MAX_KEY = 200;
/** What a recorded value holds itself, and what is no name of an own member. */
const RESERVED: ReadonlySet<string> = new Set([UPLOAD_MEMBER, '__proto__']);

export type JsonObject = { [name: string]: JsonValue };

interface Frame {
  /** Null for a container that is not kept. */
  readonly into: JsonValue[] | JsonObject | null;
  /** The name of the member whose value comes next; null in an array, and for a name that is not kept. */
  name: string | null;
}

interface Left {
  members: number;
  bytes: number;
}

/** In a string: what ends a run of plain characters. */
const SPECIAL = /["\\]/g;
/** Outside of strings: what is no part of a number or word. */
const DELIMITER = /[\s{}[\],:"]/g;

/**
 * Abridges a JSON text that arrives in pieces: the short values at their places, and long texts as they begin. It takes the
 * same memory for any text. What follows a syntax error is left out: what is recorded is the digest of the bytes.
 */
export class Abridgement {
  readonly #root: JsonObject = {};
  readonly #frames: Frame[] = [{ into: this.#root, name: 'value' }];
  readonly #left: Left[] = Array.from({ length: DEPTH }, () => ({ ...KEPT }));
  /** Containers around the current place that have no frame. */
  #deeper = 0;
  #isInString = false;
  #isEscaped = false;
  /** A string as it is written, or a number or word, as far as it is read. */
  #token = '';
  #isCut = false;
  /** The value that was read last and is in no container yet. */
  #pending: JsonValue | undefined;

  push(text: string): void {
    let at = 0;
    while (at < text.length && this.#frames.length > 0) {
      at = this.#isInString ? this.#string(text, at) : this.#between(text, at);
    }
  }

  /** What is kept: the members of the object, or anything else as the member `value`. */
  end(): JsonObject {
    if (!this.#isInString) this.#endWord();
    this.#keepPending();
    const { value } = this.#root;
    return isObject(value) ? value : this.#root;
  }

  #string(text: string, from: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#take(`\\${text.charAt(from)}`);
      return from + 1;
    }
    SPECIAL.lastIndex = from;
    const end = SPECIAL.exec(text)?.index ?? text.length;
    if (end > from) this.#takeSome(text.slice(from, Math.min(end, from + MAX_TEXT)));
    if (end === text.length) return end;
    this.#isEscaped = text.charAt(end) === '\\';
    if (!this.#isEscaped) {
      this.#isInString = false;
      this.#pending = readText(this.#endToken());
    }
    return end + 1;
  }

  /** An escape is taken as a whole. */
  #take(whole: string): void {
    this.#isCut ||= this.#token.length + whole.length > MAX_TEXT;
    if (!this.#isCut) this.#token += whole;
  }

  #takeSome(plain: string): void {
    if (this.#isCut) return;
    const room = MAX_TEXT - this.#token.length;
    this.#isCut = plain.length > room;
    this.#token += plain.slice(0, room);
  }

  #endToken(): string {
    const token = this.#token;
    this.#token = '';
    this.#isCut = false;
    return token;
  }

  #between(text: string, from: number): number {
    DELIMITER.lastIndex = from;
    const end = DELIMITER.exec(text)?.index ?? text.length;
    if (end > from) this.#takeSome(text.slice(from, end));
    if (end === text.length) return end;
    this.#endWord();
    const char = text.charAt(end);
    if (char === '"') this.#isInString = true;
    else if (char === '{' || char === '[') this.#open(char === '{' ? {} : []);
    else if (char === '}' || char === ']') this.#close();
    else if (char === ',') this.#keepPending();
    else if (char === ':') this.#nameMember();
    return end + 1;
  }

  #endWord(): void {
    if (this.#token === '') return;
    this.#pending = readWord(this.#endToken());
  }

  #nameMember(): void {
    const frame = this.#frames.at(-1);
    const name = this.#pending;
    this.#pending = undefined;
    if (frame === undefined) return;
    const isKept = typeof name === 'string' && name.length <= MAX_KEY && !RESERVED.has(name);
    frame.name = isKept ? name : null;
  }

  #open(container: JsonValue[] | JsonObject): void {
    const isKept = this.#keep(container, 0);
    if (this.#frames.length > DEPTH) this.#deeper += 1;
    else this.#frames.push({ into: isKept ? container : null, name: null });
  }

  #close(): void {
    this.#keepPending();
    if (this.#deeper > 0) this.#deeper -= 1;
    else this.#frames.pop();
  }

  #keepPending(): void {
    const value = this.#pending;
    this.#pending = undefined;
    if (value !== undefined) this.#keep(value, Buffer.byteLength(JSON.stringify(value)));
  }

  /** @returns whether there was a place for it */
  #keep(value: JsonValue, bytes: number): boolean {
    const frame = this.#frames.at(-1);
    const left = this.#left[this.#frames.length - 1];
    if (frame === undefined || frame.into === null || left === undefined) return false;
    const { into, name } = frame;
    frame.name = null;
    const cost = bytes + (name === null ? 0 : Buffer.byteLength(JSON.stringify(name)));
    if (left.members < 1 || left.bytes < cost) return false;
    if (Array.isArray(into) ? into.length === MAX_ELEMENTS : name === null) return false;
    if (Array.isArray(into)) into.push(value);
    else into[name ?? ''] = value;
    left.members -= 1;
    left.bytes -= cost;
    return true;
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number that cannot be stored faithfully is kept as its text. */
function readWord(token: string): JsonValue | undefined {
  const value = readJson(token);
  return value === undefined && NUMBER.test(token) ? token : value;
}

const NUMBER = /^-?\d{1,100}(?:\.\d{1,100})?$/;

/** What is cut off at the end: no more than an escape, or half of a character. */
const LONGEST_ESCAPE = 6;

/** @param token without quotes, perhaps cut */
function readText(token: string): JsonValue | undefined {
  for (let cut = 0; cut <= LONGEST_ESCAPE; cut += 1) {
    const text = readJson(`"${token.slice(0, token.length - cut)}"`);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** @returns undefined for what is no JSON, or cannot be stored faithfully */
function readJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
