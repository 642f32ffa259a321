import { canonicalJson } from './canonical.js';
import type { JsonValue } from './gate.js';
import { isCommitment, isHash, isTimestamp } from './shapes.js';

/**
 * The reason why the text of an entry was refused.
 *
 * @example
 * ```ts
 * import { EntryError, readEntry } from '@decision-ledger/proof/entry';
 *
 * try {
 *   readEntry('{}');
 * } catch (error) {
 *   if (error instanceof EntryError) console.error(error.message);
 * }
 * ```
 */
export class EntryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EntryError';
  }
}

/**
 * Reads the members of an entry one by one. Every method throws EntryError if the member is missing or
 * has the wrong form.
 */
export class Members {
  readonly #values: Map<string, JsonValue>;

  private constructor(values: Map<string, JsonValue>) {
    this.#values = values;
  }

  static of(text: string): Members {
    const value = parse(text);
    if (!isObject(value)) {
      throw new EntryError('The entry is not a JSON object.');
    }
    return new Members(new Map(Object.entries(value)));
  }

  text(name: string): string {
    const value = this.#take(name);
    return typeof value === 'string' ? value : refuse(name, 'a string');
  }

  number(name: string): number {
    const value = this.#take(name);
    return typeof value === 'number' ? value : refuse(name, 'a number');
  }

  flag(name: string): boolean {
    const value = this.#take(name);
    return typeof value === 'boolean' ? value : refuse(name, 'true or false');
  }

  count(name: string): number {
    const value = this.number(name);
    const isCount = Number.isSafeInteger(value) && value > 0;
    return isCount ? value : refuse(name, 'a whole number above zero');
  }

  hash(name: string): string {
    const value = this.text(name);
    return isHash(value) ? value : refuse(name, 'a SHA-256 digest in lower-case hexadecimal');
  }

  time(name: string): string {
    const value = this.text(name);
    return isTimestamp(value) ? value : refuse(name, 'a UTC time with milliseconds');
  }

  oneOf<T extends string>(name: string, known: readonly T[]): T {
    const value = this.text(name);
    return known.find((one) => one === value) ?? refuse(name, `one of ${known.join(', ')}`);
  }

  commitments<N extends string>(names: readonly N[]): { [name in N]?: string } {
    const value = this.#take('commitments');
    if (!isObject(value)) {
      return refuse('commitments', 'an object');
    }
    const found: { [name in N]?: string } = {};
    for (const [name, digest] of Object.entries(value)) {
      const known = names.find((one) => one === name);
      if (known === undefined) {
        throw new EntryError(`The entry has an unknown commitment ${JSON.stringify(name)}.`);
      }
      if (typeof digest !== 'string' || !isCommitment(digest)) {
        return refuse(`commitments.${name}`, 'a SHA-256 digest in base64url');
      }
      found[known] = digest;
    }
    return found;
  }

  /** Returns the entry, unless a member was not read. */
  complete<E>(entry: E): E {
    for (const name of this.#values.keys()) {
      throw new EntryError(`The entry has an unknown member ${JSON.stringify(name)}.`);
    }
    return entry;
  }

  #take(name: string): JsonValue {
    const value = this.#values.get(name);
    if (value === undefined) {
      throw new EntryError(`The entry has no member ${name}.`);
    }
    this.#values.delete(name);
    return value;
  }
}

function parse(text: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
    if (canonicalJson(value) === text) {
      return value;
    }
  } catch {
    // Not JSON, or a string without UTF-8 form: neither is canonical.
  }
  throw new EntryError('The entry is not canonical JSON.');
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(name: string, shape: string): never {
  throw new EntryError(`The entry's member ${name} is not ${shape}.`);
}
