/** A JSON object. */
export type Members = { readonly [name: string]: unknown };

/** Where a value stands in an object. Names of attributes have points, so all of it may be one name. */
export interface Path {
  readonly name: string;
  readonly keys: readonly string[];
}

export const pathOf = (name: string): Path => ({ name, keys: name.split('.') });

/** Characters of JSON texts that are read in one payload, so that its time is bounded. */
const MAX_CHARS = 65_536;

/** Reads values of one payload. A JSON text that is whole is what it says; any other one is a text. */
export class TextReader {
  readonly #read = new Map<string, unknown>();
  #left = MAX_CHARS;

  /** The value at a path; undefined if there is none. */
  follow(value: unknown, { name: whole, keys }: Path): unknown {
    const own = memberAt(value, whole);
    if (own !== undefined) return this.#plain(own);
    if (keys.length === 1) return undefined;
    let found = value;
    for (const name of keys) {
      found = memberAt(found, name);
      if (found === undefined) return undefined;
      found = this.#plain(found);
    }
    return found;
  }

  /** The only text of a list of contents is the content. */
  #plain(value: unknown): unknown {
    const content = Array.isArray(value) ? (onlyText(value) ?? value) : value;
    return typeof content === 'string' ? this.#parse(content) : content;
  }

  #parse(text: string): unknown {
    if (!MAY_BE_JSON.test(text)) return text;
    if (this.#read.has(text)) return this.#read.get(text);
    if (text.length > this.#left) return text;
    this.#left -= text.length;
    const value = parsed(text);
    this.#read.set(text, value);
    return value;
  }
}

/** Most texts are none, and are not tried. A number stays a text unless it may be an HTTP status. */
const MAY_BE_JSON = /^(?:\s*[[{"]|(?:true|false|null|[1-5][0-9]{2})$)/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Lists of contents as MCP and models have them. */
function onlyText(parts: readonly unknown[]): unknown {
  const [first, second] = parts;
  if (second !== undefined || memberAt(first, 'type') !== 'text') return undefined;
  return memberAt(first, 'text');
}

export function memberAt(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (!Object.hasOwn(value, name)) return undefined;
  const member: unknown = Reflect.get(value, name);
  return member;
}
