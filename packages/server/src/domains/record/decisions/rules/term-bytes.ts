import { finish, fold, foldBytes } from '@decision-ledger/contract/fold';
import { MAX_METADATA_TERMS } from './metadata.js';

const [QUOTE, COMMA, COLON, BACKSLASH, OPEN, CLOSE] = [0x22, 0x2c, 0x3a, 0x5c, 0x7b, 0x7d];
const [SPACE, DELETE, MINUS, POINT, ZERO, NINE] = [0x20, 0x7f, 0x2d, 0x2e, 0x30, 0x39];
const BETWEEN = 0x3d;
/** Numbers so short are written by JSON as they are, if they are written in the shortest way. */
const MAX_NUMBER = 15;
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const NOT_ASCII = /[^\u0000-\u007f]/;

/**
 * The terms that `termsText` gives, for decisions of one ledger whose texts are plain: ASCII, and the metadata a flat
 * object in canonical JSON without escapes. It reads bytes without parsing them, because it runs for every verified record.
 */
export class TermBytes {
  readonly #agent: number;
  readonly #action: number;
  readonly #member: number;

  constructor(ledgerId: string) {
    const seed = fold(ledgerId);
    this.#agent = fold('agent_id', seed) ^ BETWEEN;
    this.#action = fold('action_type', seed) ^ BETWEEN;
    this.#member = fold('metadata.', seed);
  }

  /** Of a decision without metadata; null if a text is not plain. */
  of(agentId: string, actionType: string): number[] | null {
    if (NOT_ASCII.test(agentId) || NOT_ASCII.test(actionType)) return null;
    return [finish(fold(agentId, this.#agent)), finish(fold(actionType, this.#action))];
  }

  /** Adds those of the metadata from `start` to before `end`. @returns false if it is not plain */
  add(terms: number[], bytes: Buffer, start: number, end: number): boolean {
    if (bytes[start] !== OPEN || bytes[end - 1] !== CLOSE) return false;
    if (end - start === 2) return true;
    let [previous, previousEnd] = [0, 0];
    let at = start;
    while (bytes[at] === (at === start ? OPEN : COMMA)) {
      const key = at + 2;
      const keyEnd = endOfString(bytes, at + 1, end) - 1;
      const value = keyEnd + 2;
      if (keyEnd < 0 || bytes[keyEnd + 1] !== COLON) return false;
      if (previous > 0 && bytes.compare(bytes, previous, previousEnd, key, keyEnd) <= 0)
        return false;
      const valueEnd = endOfScalar(bytes, value, end);
      if (valueEnd < 0 || isPrototype(bytes, key, keyEnd)) return false;
      if (terms.length < 2 + MAX_METADATA_TERMS) {
        const name = foldBytes(bytes, key, keyEnd, this.#member) ^ BETWEEN;
        terms.push(finish(foldBytes(bytes, value, valueEnd, name)));
      }
      [previous, previousEnd, at] = [key, keyEnd, valueEnd];
    }
    return at === end - 1;
  }
}

/** A key that no decision has: it is refused. */
function isPrototype(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === 0x5f && bytes.toString('latin1', start, end) === '__proto__';
}

/** The position after the scalar at `at`; negative if there is none that JSON would write like this. */
function endOfScalar(bytes: Buffer, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  if (first === QUOTE) return endOfString(bytes, at, end);
  if (first === MINUS || (first >= ZERO && first <= NINE)) return endOfNumber(bytes, at);
  const word = WORDS.find((known) => known[0] === first);
  return word?.every((byte, index) => bytes[at + index] === byte) ? at + word.length : -1;
}

function endOfNumber(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (let byte = bytes[at] ?? 0; isDigit(byte) || byte === POINT; byte = bytes[at] ?? 0) at += 1;
  if (at - start > MAX_NUMBER) return -1;
  const token = bytes.toString('latin1', start, at);
  return String(Number(token)) === token ? at : -1;
}

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE;

/** The position after the string at `at`; negative if it is none, has an escape or is not ASCII. */
function endOfString(bytes: Buffer, at: number, end: number): number {
  if (bytes[at] !== QUOTE) return -1;
  for (let next = at + 1; next < end; next += 1) {
    const byte = bytes[next] ?? 0;
    if (byte === QUOTE) return next + 1;
    if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return -1;
  }
  return -1;
}
