/** A number of a JSON text that a 64-bit float would change. */
export class NumberText {
  constructor(readonly text: string) {}
}

/** An object of a JSON text in which a key is repeated. */
export class Pairs {
  constructor(readonly entries: readonly (readonly [string, unknown])[]) {}
}

/** Longer texts stay texts: reading them would hold up the agent. */
const MAX_CHARS = 1024 * 1024;
const MAY_BE_WHOLE = /^\s*[[{]/;

/**
 * Reads a text that is a whole JSON object or list as what it is. This is the one rule for results and arguments
 * that frameworks hand on as text. Nothing of it is lost: `degrade` writes a number that no float holds as
 * its digits, and each of several members with one key.
 *
 * @returns the text itself, if it is anything else, or longer than 1,048,576 characters
 */
export function readJsonText(text: string): unknown {
  if (text.length > MAX_CHARS || !MAY_BE_WHOLE.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return build(text);
}

const TOKEN = /[[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,:[\]{}"]+/g;

interface Open {
  readonly isObject: boolean;
  readonly entries: [string, unknown][];
  key: string | null;
}

/** @param text JSON */
function build(text: string): unknown {
  const root: Open = { isObject: false, entries: [], key: null };
  const stack = [root];
  let open = root;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open = { isObject: token === '{', entries: [], key: null };
      stack.push(open);
    } else if (token === '}' || token === ']') {
      stack.pop();
      const value = closed(open);
      open = stack.at(-1) ?? root;
      add(open, value);
    } else if (open.isObject && open.key === null) {
      open.key = String(JSON.parse(token));
    } else {
      add(open, scalarOf(token));
    }
  }
  return root.entries[0]?.[1];
}

function add(open: Open, value: unknown): void {
  open.entries.push([open.key ?? '', value]);
  open.key = null;
}

function closed({ isObject, entries }: Open): unknown {
  if (!isObject) return entries.map(([, value]) => value);
  const isUnique = new Set(entries.map(([key]) => key)).size === entries.length;
  return isUnique ? Object.fromEntries(entries) : new Pairs(entries);
}

function scalarOf(token: string): unknown {
  const value: unknown = JSON.parse(token);
  return typeof value === 'number' && !isFaithful(token, value) ? new NumberText(token) : value;
}

const MAX_DIGITS = 17;

/** As the service checks numbers. */
function isFaithful(token: string, value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const [mantissa = ''] = token.split(/e/i);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return digits.length <= MAX_DIGITS && !(value === 0 && digits !== '');
}
