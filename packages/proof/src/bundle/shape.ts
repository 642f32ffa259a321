import { type JsonValue, MAX_DEPTH, parseJson } from '../gate.js';
import { isHash, isTimestamp } from '../shapes.js';

export type JsonObject = { [key: string]: JsonValue };

/**
 * A JSON text does not have the required form.
 *
 * @example
 * ```ts
 * import { Shape, ShapeError } from '@decision-ledger/proof/bundle/shape';
 *
 * try {
 *   new Shape({ seq: '1' }).count('seq');
 * } catch (error) {
 *   if (error instanceof ShapeError) console.error(error.message);
 * }
 * ```
 */
export class ShapeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ShapeError';
  }
}

/**
 * Parses a JSON text. A payload of maximum depth may be nested two containers deep in it.
 * @throws GateError
 * @example
 * ```ts
 * import { readJson } from '@decision-ledger/proof/bundle/shape';
 *
 * readJson('{"seq":1}'); // => { seq: 1 }
 * ```
 */
export function readJson(text: string): JsonValue {
  return parseJson(text, MAX_DEPTH + 2);
}

/**
 * Reads the members of an object one by one. Every method throws ShapeError if the member is missing
 * or has the wrong form; methods named `opt…` return null if it is missing or null.
 *
 * @example
 * ```ts
 * import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
 *
 * const shape = new Shape(readJson('{"seq":1,"note":null}'));
 * shape.count('seq'); // => 1
 * shape.optText('note'); // => null
 * shape.done();
 * ```
 */
export class Shape {
  readonly #object: JsonObject;
  readonly #path: string;
  readonly #left: Set<string>;

  constructor(value: JsonValue | undefined, path = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ShapeError(`${path || 'It'} is not an object.`);
    }
    this.#object = value;
    this.#path = path === '' ? '' : `${path}.`;
    this.#left = new Set(Object.keys(value));
  }

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : this.#refuse(name, 'a string');
  }

  number(name: string): number {
    const value = this.value(name);
    return typeof value === 'number' ? value : this.#refuse(name, 'a number');
  }

  flag(name: string): boolean {
    const value = this.value(name);
    return typeof value === 'boolean' ? value : this.#refuse(name, 'true or false');
  }

  count(name: string): number {
    const value = this.number(name);
    return Number.isSafeInteger(value) && value >= 0
      ? value
      : this.#refuse(name, 'a whole number from 0 on');
  }

  hash(name: string): string {
    const value = this.text(name);
    return isHash(value) ? value : this.#refuse(name, 'a SHA-256 in lower-case hexadecimal');
  }

  time(name: string): string {
    const value = this.text(name);
    return isTimestamp(value) ? value : this.#refuse(name, 'a UTC time with milliseconds');
  }

  oneOf<T extends string>(name: string, known: readonly T[]): T {
    const value = this.text(name);
    return known.find((one) => one === value) ?? this.#refuse(name, `one of ${known.join(', ')}`);
  }

  object(name: string): Shape {
    return new Shape(this.value(name), this.#path + name);
  }

  optObject(name: string): Shape | null {
    const value = this.opt(name);
    return value === null ? null : new Shape(value, this.#path + name);
  }

  array(name: string): JsonValue[] {
    const value = this.value(name);
    return Array.isArray(value) ? value : this.#refuse(name, 'an array');
  }

  texts(name: string): string[] {
    return this.array(name).map((one) =>
      typeof one === 'string' ? one : this.#refuse(name, 'an array of strings'),
    );
  }

  value(name: string): JsonValue {
    this.#left.delete(name);
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    return value === undefined ? this.#refuse(name, 'there') : value;
  }

  opt(name: string): JsonValue {
    return this.has(name) ? this.value(name) : null;
  }

  optText(name: string): string | null {
    return this.opt(name) === null ? null : this.text(name);
  }

  optTime(name: string): string | null {
    return this.opt(name) === null ? null : this.time(name);
  }

  optHash(name: string): string | null {
    return this.opt(name) === null ? null : this.hash(name);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  names(): string[] {
    return Object.keys(this.#object);
  }

  /** Refuses members that were not read, because nothing proves them. */
  done(): void {
    for (const name of this.#left) {
      throw new ShapeError(`${this.#path}${name} is not an allowed member.`);
    }
  }

  #refuse(name: string, shape: string): never {
    throw new ShapeError(`${this.#path}${name} is not ${shape}.`);
  }
}
