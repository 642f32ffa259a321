/**
 * The subset of JSON Schema (2020-12) that this project uses; a test fails on any other keyword.
 * `x-problem` is the error message for a value, where the keywords do not give a clear one.
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
  /** The error message for the name of an unknown member. */
  readonly 'x-names'?: string;
  readonly default?: unknown;
  readonly writeOnly?: boolean;
}

/** The JSON Schema type of a value. */
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
 * The branch of a union that a value is checked against: the one of its type. Object branches are
 * distinguished by their constant member. Null if no branch matches.
 */
export function branchFor(branches: readonly SchemaNode[], value: unknown): SchemaNode | null {
  const type = typeOf(value);
  const alike = branches.filter((branch) => acceptsType(branch, type));
  const name = discriminatorOf(alike);
  if (name === null) return alike[0] ?? null;
  const kind = memberOf(value, name);
  return alike.find((branch) => branch.properties?.[name]?.const === kind) ?? null;
}

function acceptsType(node: SchemaNode, type: string): boolean {
  if (node.type === 'integer') return type === 'number';
  if (node.type !== undefined) return node.type === type;
  const constants = node.enum ?? ('const' in node ? [node.const] : null);
  return constants === null || constants.some((constant) => typeOf(constant) === type);
}

/** The member whose constant distinguishes object branches; null if there is at most one branch. */
export function discriminatorOf(branches: readonly SchemaNode[]): string | null {
  const [first, ...rest] = branches;
  if (rest.length === 0) return null;
  const names = Object.keys(first?.properties ?? {});
  const isConstant = (name: string) =>
    branches.every(({ properties }) => properties?.[name]?.const !== undefined);
  return names.find(isConstant) ?? null;
}

/** The own member of an object; undefined for any other value. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
