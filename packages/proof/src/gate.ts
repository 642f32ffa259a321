/// <reference lib="es2024.string" />
import { buildSteps, hasEscapeAsKey } from './gate-build.js';
import { TextCount, ValueCount } from './gate-count.js';
import { GateError } from './gate-error.js';
import { scanSteps } from './gate-scan.js';
import { inPieces, STEP } from './gate-text.js';
import type { JsonValue } from './json.js';

export type { JsonValue } from './json.js';
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

/** Above this many values and members, native parsing in one piece takes too long to be done between pauses. */
const MANY = 200_000;

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
  return inOnePiece(parseSteps(text, maxDepth, limits));
}

/**
 * Like `parseJson`, but awaits `pause` every few milliseconds of work, so that a large text does not block
 * the event loop.
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
  return inPieces(parseSteps(text, maxDepth, limits), pause);
}

/**
 * Parses a JSON text of which only some values are used: those are checked as by `parseJson`, and all
 * others may be anything that is JSON. A depth of 10,000 is refused anywhere.
 *
 * @param isRead whether the value at a path is used, or a value within it; the path has at most 8 keys
 * @param pause lets other work run, every few milliseconds
 * @throws GateError as `parseJson`, for values that are read
 * @example
 * ```ts
 * import { parseJsonPartly } from '@decision-ledger/proof/gate';
 *
 * const pause = async () => {};
 * await parseJsonPartly('{"id":"a","note":"\\u0000"}', ([first]) => first === 'id', pause);
 * // => { id: 'a', note: '\u0000' }
 * ```
 */
export async function parseJsonPartly(
  text: string,
  isRead: (path: readonly (string | number)[]) => boolean,
  pause: () => Promise<unknown>,
): Promise<JsonValue> {
  await inPieces(scanSteps(text, { purpose: 'meaning', maxDepth: DEEPEST, isRead }), pause);
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
  const written = new TextCount(text, Number.POSITIVE_INFINITY);
  while (!written.goOn()) refuseOversized(written, limits);
  refuseOversized(written, limits);
}

function inOnePiece<Result>(steps: Generator<void, Result, void>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Yields whenever a pause is due. */
function* parseSteps(
  text: string,
  maxDepth: number,
  limits: SizeLimits,
): Generator<void, JsonValue, void> {
  const written = new TextCount(text, maxDepth);
  while (!written.goOn()) yield;
  if (written.isTooDeep) {
    // Native parsing of a million brackets takes half a second, so it is avoided.
    yield* scanSteps(text, { purpose: 'meaning', maxDepth });
  }
  refuseOversized(written, limits);
  const value = yield* readSteps(text, written);
  if (text.length > STEP) yield;
  if (text.includes('\\') && hasEscapeAsKey(text)) {
    yield;
    yield* scanSteps(text, { purpose: 'meaning', maxDepth });
    return yield* buildSteps(text);
  }
  // A duplicate key is written more often than it is stored.
  if (
    !hasPlainStrings(text) ||
    !written.isFaithful ||
    written.keys !== (yield* countSteps(value))
  ) {
    yield;
    yield* scanSteps(text, { purpose: 'meaning', maxDepth });
  }
  return value;
}

/** The value of a text of which only the syntax is checked. */
function* readSteps(
  text: string,
  { values, keys, isTooDeep }: TextCount,
): Generator<void, JsonValue, void> {
  if (values + keys > MANY && !isTooDeep) {
    yield* scanSteps(text, { purpose: 'syntax' });
    return yield* buildSteps(text);
  }
  try {
    return JSON.parse(text);
  } catch {
    yield;
    yield* scanSteps(text, { purpose: 'syntax' });
    throw new GateError('syntax', '', 'Invalid JSON.');
  }
}

function* countSteps(value: JsonValue): Generator<void, number, void> {
  const stored = new ValueCount(value);
  while (!stored.goOn()) yield;
  return stored.keys;
}

/** Whether no string can contain a refused character. A quick check that may suspect valid texts. */
function hasPlainStrings(text: string): boolean {
  return (
    text.isWellFormed() &&
    !text.includes('__proto__') &&
    !(text.includes('\\u') && DELICATE_ESCAPE.test(text))
  );
}

function refuseOversized(written: TextCount, { values, members }: SizeLimits): void {
  if (written.values <= values && written.keys <= members) return;
  const what =
    written.values > values
      ? `${values} values, counting each number, text, object, array and so on`
      : `${members} members of objects`;
  throw new GateError('oversized', '', `The text contains more than ${what}. Send it in parts.`);
}
