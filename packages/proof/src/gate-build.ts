import { endOfString, STEP } from './gate-text.js';
import type { JsonValue } from './json.js';

/**
 * A key that consists of one escape. V8 in Node.js 24 misreads some of these as a backslash, so such
 * texts are not parsed natively. On other versions this is merely slower.
 */
const ESCAPE_AS_KEY = /"\\(?:u[\da-fA-F]{4}|[^u])"\s*:/;

export function hasEscapeAsKey(text: string): boolean {
  return ESCAPE_AS_KEY.test(text);
}

/** White space and separators between values. */
const BETWEEN = /[\s,:]*/y;
const SCALAR = /[^\s,:{}[\]"]+/y;

interface Open {
  readonly add: (value: JsonValue) => void;
  key: string | null;
  readonly isObject: boolean;
}

/**
 * Builds the value of a JSON text, and yields whenever a pause is due.
 *
 * @param text JSON, without a key `__proto__` if the value is used
 */
export function* buildSteps(text: string): Generator<void, JsonValue, void> {
  let pauseAt = STEP;
  let result: JsonValue = null;
  const stack: Open[] = [
    {
      add: (value) => {
        result = value;
      },
      key: null,
      isObject: false,
    },
  ];
  for (let at = start(text, 0); at < text.length; ) {
    const token = tokenAt(text, at);
    at = start(text, at + token.length);
    if (at > pauseAt) {
      pauseAt = at + STEP;
      yield;
    }
    const open = stack.at(-1);
    if (open === undefined) throw new TypeError('The text is not JSON.');
    if (token === '}' || token === ']') {
      stack.pop();
    } else if (open.isObject && open.key === null) {
      open.key = String(readScalar(token));
    } else {
      const value: JsonValue = token === '{' ? {} : token === '[' ? [] : readScalar(token);
      open.add(value);
      open.key = null;
      if (token === '{' || token === '[') stack.push(opened(value));
    }
  }
  return result;
}

/** The position of the next token. */
function start(text: string, at: number): number {
  BETWEEN.lastIndex = at;
  return at + (BETWEEN.exec(text)?.[0].length ?? 0);
}

/** A string, a scalar, or a bracket. */
function tokenAt(text: string, at: number): string {
  const char = text[at] ?? '';
  if (char === '"') return text.slice(at, endOfString(text, at + 1));
  if ('{}[]'.includes(char)) return char;
  SCALAR.lastIndex = at;
  return SCALAR.exec(text)?.[0] ?? char;
}

/** The native parser reads single strings correctly; the shortcut avoids most calls. */
function readScalar(token: string): JsonValue {
  if (token.startsWith('"') && !token.includes('\\')) return token.slice(1, -1);
  const value: JsonValue = JSON.parse(token);
  return value;
}

function opened(container: JsonValue): Open {
  if (Array.isArray(container)) {
    return { add: (value) => container.push(value), key: null, isObject: false };
  }
  const open: Open = {
    add: (value) => {
      if (typeof container === 'object' && container !== null && open.key !== null) {
        container[open.key] = value;
      }
    },
    key: null,
    isObject: true,
  };
  return open;
}
