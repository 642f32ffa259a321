import { GateError, type JsonValue, parseJsonInTurns, type SizeLimits } from './gate.js';
import { TextCount } from './gate-count.js';
import { scanSteps } from './gate-scan.js';
import { endOfString, inPieces, STEP } from './gate-text.js';

/** An element that was refused, and its text. */
export interface RefusedElement {
  /** Its path begins with that of the element. */
  readonly error: GateError;
  readonly text: string;
}

export interface ParsedElements {
  /** The whole text; null stands in place of each element that was refused. */
  readonly value: JsonValue;
  /** The array in the value. */
  readonly elements: JsonValue[];
  /** By position in the array. */
  readonly refused: ReadonlyMap<number, RefusedElement>;
}

/** The array whose elements are parsed alone. */
export interface ElementArray {
  /** Its name in the object that the text is. */
  readonly name: string;
  /** Longer arrays are not parsed: null stands for all elements. */
  readonly most: number;
  /** Nesting of containers in an element, including the outermost one. */
  readonly maxDepth: number;
}

/**
 * Parses an object with an array whose elements are refused one by one: what `parseJson` would refuse the
 * whole text for is refused where it is. Each character is read a fixed number of times.
 *
 * @param limits of the whole text, which the caller has checked
 * @param pause lets other work run
 * @throws GateError if the text is no object with such an array, and for what is wrong outside of it
 * @example
 * ```ts
 * import { parseElements } from '@decision-ledger/proof/gate-members';
 *
 * const array = { name: 'items', most: 10, maxDepth: 8 };
 * const limits = { values: 1000, members: 100 };
 * const pause = async () => {};
 * const { value, refused } = await parseElements('{"items":[1,{"a":1e999}]}', array, limits, pause);
 * value; // => { items: [1, null] }
 * refused.get(1)?.error.path; // => 'items[1].a'
 * ```
 */
export async function parseElements(
  text: string,
  { name, most, maxDepth }: ElementArray,
  limits: SizeLimits,
  pause: () => Promise<unknown>,
): Promise<ParsedElements> {
  const places = await inPieces(placeSteps(text, name), pause);
  // Without the elements, what is refused concerns the whole text.
  const rest = places === null ? text : text.slice(0, places.start) + text.slice(places.end);
  const value = await parseJsonInTurns(rest, maxDepth + 2, limits, pause);
  if (places === null || !isObject(value)) {
    throw new GateError('unrepresentable', name, `Send an object with the array ${name}.`);
  }
  const refused = new Map<number, RefusedElement>();
  const items: JsonValue[] = [];
  for (const [at, [start, end]] of places.elements.entries()) {
    if (places.elements.length > most) {
      items.push(null);
      continue;
    }
    const part = text.slice(start, end);
    try {
      items.push(await parseJsonInTurns(part, maxDepth, limits, pause));
    } catch (error) {
      if (!(error instanceof GateError)) throw error;
      refused.set(at, { error: within(error, `${name}[${at}]`), text: part });
      items.push(null);
    }
  }
  value[name] = items;
  return { value, elements: items, refused };
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same problem, as the whole text has it. */
function within({ kind, path, message }: GateError, element: string): GateError {
  const join = path === '' || path.startsWith('[') ? '' : '.';
  return new GateError(kind, element + join + path, message);
}

/** Where the content of the array is, and each of its elements. */
interface Places {
  readonly start: number;
  readonly end: number;
  readonly elements: readonly (readonly [start: number, end: number])[];
}

/** What separates values. */
const STRUCTURE = /["{}[\],]/g;

/** Finds the last array of a name, and yields whenever a pause is due. A second one makes the rest invalid. */
function* placeSteps(text: string, name: string): Generator<void, Places | null, void> {
  yield* refuseDeepest(text);
  yield* scanSteps(text, { purpose: 'syntax' });
  const inObject = text.trimStart().startsWith('{');
  let pauseAt = STEP;
  let found: Places | null = null;
  let elements: [number, number][] | null = null;
  let [depth, start, from, key] = [0, 0, 0, ''];
  for (let at = next(text, 0); at < text.length; at = next(text, at)) {
    if (at > pauseAt) {
      pauseAt = at + STEP;
      yield;
    }
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at + 1);
      // The last text before a value of the object is its key.
      if (depth === 1) key = String(JSON.parse(text.slice(at, end)));
      at = end;
      continue;
    }
    if (char === '{' || char === '[') {
      depth += 1;
      if (char === '[' && depth === 2 && key === name && inObject) {
        elements = [];
        start = at + 1;
        from = at + 1;
      }
    } else if (elements !== null && depth === 2) {
      if (text.slice(from, at).trim() !== '') elements.push([from, at]);
      from = at + 1;
      if (char === ']') {
        found = { start, end: at, elements };
        elements = null;
      }
    }
    if (char === '}' || char === ']') depth -= 1;
    at += 1;
  }
  return found;
}

/** Maximum nesting of the whole text: its scan remembers each container that is open. */
const DEEPEST = 10_000;

function* refuseDeepest(text: string): Generator<void, void, void> {
  const written = new TextCount(text, DEEPEST);
  while (!written.goOn()) yield;
  if (!written.isTooDeep) return;
  throw new GateError('unrepresentable', '', 'The value is nested too deeply. Flatten it.');
}

function next(text: string, at: number): number {
  STRUCTURE.lastIndex = at;
  return STRUCTURE.exec(text)?.index ?? text.length;
}
