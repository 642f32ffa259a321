/** The text that stands for a value which JSON cannot hold, such as a number that a 64-bit float would change. */
export class MarkedText {
  constructor(readonly text: string) {}
}

/** An object in which a key is repeated. */
export class Pairs {
  constructor(readonly entries: readonly (readonly [string, unknown])[]) {}
}

/** An object with these members; `Pairs` if a key is repeated. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const isUnique = new Set(entries.map(([key]) => key)).size === entries.length;
  return isUnique ? Object.fromEntries(entries) : new Pairs(entries);
}

/** Longer texts stay texts: reading them would hold up the agent. */
export const MAX_JSON_TEXT = 1024 * 1024;
const MAY_BE_WHOLE = /^\s*[[{]/;

/**
 * Reads a text that is a whole JSON object or list as what it is. This is the one rule for results and arguments
 * that frameworks hand on as text. Nothing of it is lost: see `readExactly`.
 *
 * @returns the text itself, if it is anything else, or longer than 1,048,576 characters
 */
export function readJsonText(text: string): unknown {
  if (text.length > MAX_JSON_TEXT || !MAY_BE_WHOLE.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return readExactly(text);
}

/**
 * Reads a JSON text so that `degrade` can write all of it: a number that no float holds as its digits, and each of
 * several members with one key.
 *
 * @param text JSON
 */
export function readExactly(text: string): unknown {
  const steps = exactSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Characters that are read before a pause is due. */
const STEP = 65_536;
const TOKEN = /[\s,:]*([[\]{}"]|[^\s,:[\]{}"]+)/y;

interface Open {
  readonly isObject: boolean;
  readonly keys: string[];
  readonly values: unknown[];
}

/** Like `readExactly`; yields whenever a pause is due. */
export function* exactSteps(text: string): Generator<void, unknown, void> {
  const root: Open = { isObject: false, keys: [], values: [] };
  const stack = [root];
  let open = root;
  let pauseAt = STEP;
  for (let at = 0; ; ) {
    TOKEN.lastIndex = at;
    const [all, first] = TOKEN.exec(text) ?? [];
    if (all === undefined || first === undefined) return root.values[0];
    at += all.length;
    if (first === '{' || first === '[') {
      open = { isObject: first === '{', keys: [], values: [] };
      stack.push(open);
    } else if (first === '}' || first === ']') {
      stack.pop();
      const value = closed(open);
      open = stack.at(-1) ?? root;
      open.values.push(value);
    } else {
      const start = at - first.length;
      if (first === '"') at = endOfText(text, at);
      const value = scalarOf(text.slice(start, at));
      const isKey = open.isObject && open.keys.length === open.values.length;
      if (isKey) open.keys.push(String(value));
      else open.values.push(value);
    }
    if (at < pauseAt) continue;
    pauseAt = at + STEP;
    yield;
  }
}

/** The position after the quote that ends the text which begins before `from`. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

function closed({ isObject, keys, values }: Open): unknown {
  return isObject ? objectOf(keys.map((key, at) => [key, values[at]])) : values;
}

function scalarOf(token: string): unknown {
  const value: unknown = JSON.parse(token);
  return typeof value === 'number' && !isFaithful(token, value) ? new MarkedText(token) : value;
}

const MAX_DIGITS = 17;

/** As the service checks numbers. */
function isFaithful(token: string, value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const [mantissa = ''] = token.split(/e/i);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return digits.length <= MAX_DIGITS && !(value === 0 && digits !== '');
}
