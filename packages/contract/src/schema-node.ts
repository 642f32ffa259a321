/**
 * What the schemas of this project use of JSON Schema (2020-12); a test fails on any other keyword.
 * `x-problem` says what a value must be, where the keywords alone would say little to people.
 */
export interface SchemaNode {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly 'x-problem'?: string;
  /** The same for the name of a member of a table. */
  readonly 'x-names'?: string;
  /** Members that former releases had: why each is refused. */
  readonly 'x-retired'?: Readonly<Record<string, string>>;
  readonly default?: unknown;
  readonly writeOnly?: boolean;
}

/** The type of a value in the words of JSON Schema. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function hasType(node: SchemaNode, value: unknown): boolean {
  const type = typeOf(value);
  if (node.type === 'number') return type === 'number' && Number.isFinite(value);
  if (node.type === 'integer') return Number.isInteger(value);
  return node.type === undefined || node.type === type;
}

/**
 * The branch of a union that a value is meant for: the one of its type, and among kinds of objects
 * the one whose constant member agrees. Null where there is none.
 */
export function branchFor(branches: readonly SchemaNode[], value: unknown): SchemaNode | null {
  const type = typeOf(value);
  const alike = branches.filter((branch) => takesType(branch, type));
  const name = discriminatorOf(alike);
  if (name === null) return alike[0] ?? null;
  const kind = memberOf(value, name);
  return alike.find((branch) => branch.properties?.[name]?.const === kind) ?? null;
}

function takesType(node: SchemaNode, type: string): boolean {
  if (node.type === 'integer') return type === 'number';
  if (node.type !== undefined) return node.type === type;
  const constants = node.enum ?? ('const' in node ? [node.const] : null);
  return constants === null || constants.some((constant) => typeOf(constant) === type);
}

/** The member whose constant tells kinds of objects apart; null where there is one kind or none. */
export function discriminatorOf(branches: readonly SchemaNode[]): string | null {
  const [first, ...rest] = branches;
  if (rest.length === 0) return null;
  const names = Object.keys(first?.properties ?? {});
  const isConstant = (name: string) =>
    branches.every(({ properties }) => properties?.[name]?.const !== undefined);
  return names.find(isConstant) ?? null;
}

/** The own member of an object; undefined of anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
