import type { JsonValue } from './json-value.js';

/**
 * A key that is one escape. V8 in Node.js 24 reads some of these as a backslash, so a text that
 * seems to hold one is not left to the native parser; elsewhere it would be as right and slower.
 */
const ESCAPE_AS_KEY = /"\\(?:u[\da-fA-F]{4}|[^u])"\s*:/;

export function hasEscapeAsKey(text: string): boolean {
  return ESCAPE_AS_KEY.test(text);
}

/** A string (native reading of a lone string is right), a scalar, or a mark of structure. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s,:{}[\]"]+/g;

interface Open {
  readonly add: (value: JsonValue) => void;
  key: string | null;
  readonly isObject: boolean;
}

/**
 * Builds the value of a JSON text.
 *
 * @param text JSON that the native parser accepts, without a key `__proto__`
 */
export function buildJson(text: string): JsonValue {
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
  for (const [token] of text.matchAll(TOKEN)) {
    const open = stack.at(-1);
    if (open === undefined) throw new TypeError('The text is not JSON.');
    if (token === '}' || token === ']') {
      stack.pop();
    } else if (open.isObject && open.key === null) {
      open.key = String(JSON.parse(token));
    } else {
      const value: JsonValue = token === '{' ? {} : token === '[' ? [] : JSON.parse(token);
      open.add(value);
      open.key = null;
      if (token === '{' || token === '[') stack.push(opened(value));
    }
  }
  return result;
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
