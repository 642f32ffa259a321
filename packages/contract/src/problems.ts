import { Format } from 'typebox/format';
import { branchFor, discriminatorOf, hasType, memberOf, type SchemaNode } from './schema-node.js';
import { parseRangeStart, parseTimestamp } from './time.js';
import { remedyFor, unknownMember, wantedBy } from './wording.js';

/** Null is the root value; the empty string is a valid member name. */
type Path = string | null;

/** Maps the path of a field to its problems. */
export type Problems = Record<string, readonly string[]>;

/**
 * Finds the problems of a value in linear time: sizes are checked before contents, and the search
 * stops after `max` problems.
 * @param root name of the value itself in error messages, such as `body`
 * @param max number of fields to report
 * @returns an empty object if the value matches the schema
 * @example
 * ```ts
 * import { findProblems } from '@decision-ledger/contract/problems';
 * import { Type } from 'typebox';
 *
 * findProblems(Type.Object({ limit: Type.Integer({ minimum: 1 }) }), { limit: 0 }, 'query', 10);
 * // => { limit: ['must be a whole number of at least 1'] }
 * ```
 */
export function findProblems(
  schema: SchemaNode,
  value: unknown,
  root: string,
  max: number,
): Problems {
  const search = new Search(root, max);
  search.look(schema, value, null, false);
  return Object.fromEntries(search.found);
}

class Search {
  readonly found = new Map<string, readonly string[]>();
  readonly #root: string;
  readonly #max: number;

  constructor(root: string, max: number) {
    this.#root = root;
    this.#max = max;
  }

  look(node: SchemaNode, value: unknown, path: Path, isOptional: boolean): void {
    if (node.anyOf !== undefined) {
      this.#union(node, node.anyOf, value, path, isOptional);
    } else if (!hasType(node, value) || !isAllowed(node, value)) {
      this.#wrong(node, value, path, isOptional);
    } else if (Array.isArray(value)) {
      this.#items(node, value, path);
    } else if (typeof value === 'object' && value !== null) {
      this.#members(node, value, path);
    }
  }

  #report(path: Path, problem: string): void {
    if (!this.#isDone()) this.found.set(path ?? this.#root, [problem]);
  }

  #wrong(node: SchemaNode, value: unknown, path: Path, isOptional: boolean): void {
    this.#report(path, wantedBy(node) + remedyFor(node, value, isOptional));
  }

  #isDone(): boolean {
    return this.found.size >= this.#max;
  }

  #union(
    node: SchemaNode,
    branches: readonly SchemaNode[],
    value: unknown,
    path: Path,
    isOptional: boolean,
  ): void {
    if (node['x-problem'] !== undefined) {
      if (!branches.some((branch) => fits(branch, value))) {
        this.#wrong(node, value, path, isOptional);
      }
      return;
    }
    const branch = branchFor(branches, value);
    if (branch !== null) {
      this.look(branch, value, path, isOptional);
      return;
    }
    const objects = branches.filter(({ type }) => type === 'object');
    const kind = discriminatorOf(objects);
    if (kind === null || !hasType({ type: 'object' }, value)) {
      this.#wrong(node, value, path, isOptional);
      return;
    }
    const kinds = objects.map(({ properties }) => properties?.[kind]?.const);
    const problem = `must be ${kinds.join(' or ')}`;
    this.#report(join(path, kind), memberOf(value, kind) === undefined ? 'is required' : problem);
  }

  #items(node: SchemaNode, items: readonly unknown[], path: Path): void {
    const { length } = items;
    if (length < (node.minItems ?? 0) || length > (node.maxItems ?? length)) {
      this.#report(path, `${wantedBy(node)}; this one has ${length}`);
      return;
    }
    if (node.items !== undefined) {
      for (const [index, item] of items.entries()) {
        if (this.#isDone()) return;
        this.look(node.items, item, `${path ?? this.#root}[${index}]`, false);
      }
    }
    if (node.uniqueItems === true) this.#repeated(items, path);
  }

  #repeated(items: readonly unknown[], path: Path): void {
    const seen = new Set<unknown>();
    for (const item of items) {
      if (seen.has(item)) {
        this.#report(path, `names ${item} more than once: name each once`);
        return;
      }
      seen.add(item);
    }
  }

  #members(node: SchemaNode, value: object, path: Path): void {
    const known = Object.entries(node.properties ?? {});
    const required = new Set(node.required);
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.#report(join(path, name), 'is required');
    }
    for (const [name, member] of known) {
      if (this.#isDone()) return;
      if (!Object.hasOwn(value, name)) continue;
      this.look(member, memberOf(value, name), join(path, name), !required.has(name));
    }
    this.#others(node, value, path);
  }

  /** Checks the members that are not named in the schema. */
  #others(node: SchemaNode, value: object, path: Path): void {
    const names = Object.keys(value);
    if (names.length > (node.maxProperties ?? names.length)) {
      this.#report(path, `${wantedBy(node)}; this one has ${names.length}`);
      return;
    }
    const patterns = Object.entries(node.patternProperties ?? {}).map(
      ([pattern, member]) => [new RegExp(pattern, 'u'), member] as const,
    );
    const rest = node.additionalProperties ?? true;
    const known = node.properties ?? {};
    if (patterns.length === 0 && rest === true) return;
    for (const name of names) {
      if (this.#isDone()) return;
      if (Object.hasOwn(known, name)) continue;
      const rule = patterns.find(([pattern]) => pattern.test(name))?.[1] ?? rest;
      const member = memberOf(value, name);
      const at = join(path, name);
      if (rule === false || (isNullAlone(rule) && member !== null)) {
        this.#report(at, node['x-names'] ?? unknownMember(name, Object.keys(known)));
      } else if (rule !== true) {
        this.look(rule, member, at, true);
      }
    }
  }
}

/** Whether null is the only value: a merge patch removes members that do not exist. */
function isNullAlone(rule: SchemaNode | boolean): boolean {
  return typeof rule === 'object' && rule.type === 'null';
}

function fits(node: SchemaNode, value: unknown): boolean {
  return Object.keys(findProblems(node, value, 'value', 1)).length === 0;
}

/** Checks a scalar of the right type, and the limits of its content. */
function isAllowed(node: SchemaNode, value: unknown): boolean {
  if ('const' in node && node.const !== value) return false;
  if (node.enum !== undefined && !node.enum.includes(value)) return false;
  if (typeof value === 'string') return isText(node, value);
  if (typeof value === 'number') return isInRange(node, value);
  return true;
}

function isText({ minLength = 0, maxLength, pattern, format }: SchemaNode, text: string): boolean {
  // A character has at most two code units, so a far longer text need not be counted.
  if (maxLength !== undefined && text.length > 2 * maxLength) return false;
  if (maxLength !== undefined || minLength > 1) {
    const length = Array.from(text).length;
    if (length < minLength || length > (maxLength ?? length)) return false;
  }
  if (text.length < minLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  return format === undefined || hasFormat(format, text);
}

function isInRange({ minimum, exclusiveMinimum, maximum }: SchemaNode, number: number): boolean {
  const min = minimum ?? Number.NEGATIVE_INFINITY;
  const above = exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  return number >= min && number > above && number <= (maximum ?? Number.POSITIVE_INFINITY);
}

function join(path: Path, name: string): string {
  return path === null ? name : `${path}.${name}`;
}

/** The formats that are checked. Any other format is an annotation only. */
const FORMATS = new Map<string, (text: string) => boolean>([
  ['date-time', (text) => parseTimestamp(text) !== null],
  ['date', (text) => text.length === 10 && parseRangeStart(text) !== null],
]);

for (const name of Format.Entries().map(([known]) => known)) {
  Format.Set(name, (text) => hasFormat(name, text));
}

/** Whether a text matches a JSON Schema format. */
function hasFormat(name: string, text: string): boolean {
  return FORMATS.get(name)?.(text) ?? true;
}
