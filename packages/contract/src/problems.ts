import { hasFormat } from './formats.js';
import { branchFor, discriminatorOf, hasType, memberOf, type SchemaNode } from './schema-node.js';
import { remedyFor, unknownMember, wantedBy } from './wording.js';

/** Null for the value itself; a member may have an empty name. */
type Path = string | null;

/** Maps the path of a field to what is wrong with it. */
export type Problems = Record<string, readonly string[]>;

/**
 * Says what is wrong with a value, in time linear in it: lengths are looked at before what they are
 * lengths of, and the search ends with the last problem that is told.
 * @param root what to call the value itself, such as `body`
 * @param most fields to name
 * @returns nothing where the value fits the schema
 */
export function findProblems(
  schema: SchemaNode,
  value: unknown,
  root: string,
  most: number,
): Problems {
  const search = new Search(root, most);
  search.look(schema, value, null, false);
  return Object.fromEntries(search.found);
}

class Search {
  readonly found = new Map<string, readonly string[]>();
  readonly #root: string;
  readonly #most: number;

  constructor(root: string, most: number) {
    this.#root = root;
    this.#most = most;
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

  #tell(path: Path, problem: string): void {
    if (!this.#isDone()) this.found.set(path ?? this.#root, [problem]);
  }

  #wrong(node: SchemaNode, value: unknown, path: Path, isOptional: boolean): void {
    this.#tell(path, wantedBy(node) + remedyFor(node, value, isOptional));
  }

  #isDone(): boolean {
    return this.found.size >= this.#most;
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
    this.#tell(join(path, kind), memberOf(value, kind) === undefined ? 'is required' : problem);
  }

  #items(node: SchemaNode, items: readonly unknown[], path: Path): void {
    const { length } = items;
    if (length < (node.minItems ?? 0) || length > (node.maxItems ?? length)) {
      this.#tell(path, `${wantedBy(node)}; this one has ${length}`);
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
        this.#tell(path, `names ${item} more than once: name each once`);
        return;
      }
      seen.add(item);
    }
  }

  #members(node: SchemaNode, value: object, path: Path): void {
    const known = Object.entries(node.properties ?? {});
    const required = new Set(node.required);
    for (const name of required) {
      if (!Object.hasOwn(value, name)) this.#tell(join(path, name), 'is required');
    }
    for (const [name, member] of known) {
      if (this.#isDone()) return;
      if (!Object.hasOwn(value, name)) continue;
      this.look(member, memberOf(value, name), join(path, name), !required.has(name));
    }
    this.#others(node, value, path);
  }

  /** Members that are not known by their name. */
  #others(node: SchemaNode, value: object, path: Path): void {
    const names = Object.keys(value);
    if (names.length > (node.maxProperties ?? names.length)) {
      this.#tell(path, `${wantedBy(node)}; this one has ${names.length}`);
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
        const retired = node['x-retired'];
        const isRetired = retired !== undefined && Object.hasOwn(retired, name);
        const refusal = isRetired ? retired[name] : node['x-names'];
        this.#tell(at, refusal ?? unknownMember(name, Object.keys(known)));
      } else if (rule !== true) {
        this.look(rule, member, at, true);
      }
    }
  }
}

/** In a merge patch null takes away what is not there either. */
function isNullAlone(rule: SchemaNode | boolean): boolean {
  return typeof rule === 'object' && rule.type === 'null';
}

function fits(node: SchemaNode, value: unknown): boolean {
  return Object.keys(findProblems(node, value, 'value', 1)).length === 0;
}

/** Whether a value of the right type is one that the schema allows, but for what it holds. */
function isAllowed(node: SchemaNode, value: unknown): boolean {
  if ('const' in node && node.const !== value) return false;
  if (node.enum !== undefined && !node.enum.includes(value)) return false;
  if (typeof value === 'string') return isText(node, value);
  if (typeof value === 'number') return isInRange(node, value);
  return true;
}

function isText({ minLength = 0, maxLength, pattern, format }: SchemaNode, text: string): boolean {
  // A character has at most two code units: what is far too long need not be counted.
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
  const least = minimum ?? Number.NEGATIVE_INFINITY;
  const above = exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  return number >= least && number > above && number <= (maximum ?? Number.POSITIVE_INFINITY);
}

function join(path: Path, name: string): string {
  return path === null ? name : `${path}.${name}`;
}
