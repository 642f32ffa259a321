import { readFileSync } from 'node:fs';

/** Any JSON value of a description. */
export type Node = null | boolean | number | string | Node[] | { [key: string]: Node };
export type Members = { [key: string]: Node };

/** Internal hints of the schemas, which the description does not show. */
const INTERNAL = new Set(['x-problem', 'x-names']);

/** A description of a part as plain JSON, without internal hints. */
export function plainJson(part: unknown): Node {
  if (Array.isArray(part)) return part.map(plainJson);
  if (typeof part === 'object' && part !== null) {
    const members = Object.entries(part).filter(
      ([name, value]) => !INTERNAL.has(name) && value !== undefined,
    );
    return Object.fromEntries(members.map(([name, value]) => [name, plainJson(value)]));
  }
  if (typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean')
    return part;
  return null;
}

export function isObjectNode(node: Node | undefined): node is Members {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** The members of an object; none of anything else. */
export function membersOf(node: Node | undefined): Members {
  return isObjectNode(node) ? node : {};
}

export function mapMembers(
  node: Node | undefined,
  change: (value: Node, name: string) => Node,
): Members {
  return Object.fromEntries(
    Object.entries(membersOf(node)).map(([name, value]) => [name, change(value, name)]),
  );
}

/** Named schemas, and the replacement of equal parts by references to them. */
export interface Named {
  /** Each named schema, with references to the others. */
  readonly schemas: Members;
  /** @param refer makes the reference; a name does not stand for itself */
  replace(node: Node, refer: (name: string) => Node): Node;
}

/** @param schemas by name; no two are equal */
export function nameSchemas(schemas: Readonly<Record<string, unknown>>): Named {
  const all = Object.entries(schemas).map(([name, schema]) => ({
    name,
    schema: plainJson(schema),
  }));
  const texts = new WeakMap<object, string>();
  const names = new Map(all.map(({ name, schema }) => [textOf(schema, texts), name]));
  if (names.size < all.length) throw new Error('two named schemas are equal');
  const inside = (node: Node, refer: (name: string) => Node): Node => {
    if (Array.isArray(node)) return node.map((part) => replace(part, refer));
    return isObjectNode(node) ? mapMembers(node, (part) => replace(part, refer)) : node;
  };
  const replace = (node: Node, refer: (name: string) => Node): Node => {
    const name = isObjectNode(node) ? names.get(textOf(node, texts)) : undefined;
    return name === undefined ? inside(node, refer) : refer(name);
  };
  return {
    schemas: Object.fromEntries(all.map(({ name, schema }) => [name, inside(schema, refTo)])),
    replace,
  };
}

export const refTo = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });

/** `decision.recorded` → `DecisionRecorded`. */
export function pascalCase(text: string): string {
  const words = text.split(/[._]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** JSON text with sorted keys, made once for each part. */
function textOf(node: Node, texts: WeakMap<object, string>): string {
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  const known = texts.get(node);
  if (known !== undefined) return known;
  const text = Array.isArray(node)
    ? `[${node.map((part) => textOf(part, texts)).join()}]`
    : `{${Object.entries(node)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => `${JSON.stringify(key)}:${textOf(value, texts)}`)
        .join()}}`;
  texts.set(node, text);
  return text;
}

/** Recorded answers of the service, by the name of their schema. */
let examples: Members | undefined;

/** The example of a named schema, read once; undefined if there is none. */
export function exampleOf(name: string): Node | undefined {
  examples ??= membersOf(
    plainJson(
      JSON.parse(readFileSync(new URL('../../../openapi/examples.json', import.meta.url), 'utf8')),
    ),
  );
  return examples[name];
}

export function withExample(schema: Members, example: Node | undefined): Members {
  return example === undefined ? schema : { ...schema, examples: [example] };
}

/** Adds the example of what a media type holds, which follows from those of the named schemas. */
export function exampleOfContent(media: Members): Members {
  const example = exampleOfSchema(membersOf(media.schema));
  return example === undefined ? media : { ...media, example };
}

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

function exampleOfSchema(schema: Members): Node | undefined {
  const [, name] = REFERENCE.exec(String(schema.$ref)) ?? [];
  if (name !== undefined) return exampleOf(name);
  const { data, meta } = membersOf(schema.properties);
  if (data === undefined || meta === undefined) return undefined;
  const [shown, about] = [exampleOfSchema(membersOf(data)), exampleOfSchema(membersOf(meta))];
  return shown === undefined || about === undefined ? undefined : { data: shown, meta: about };
}
