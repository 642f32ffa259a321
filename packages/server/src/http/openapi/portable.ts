import { isObjectNode, type Members, mapMembers, membersOf, type Node } from './components.js';

// Generators of clients know fewer words than OpenAPI 3.1 has. docs/decisions/0057-portable-description.md says which
// words each of them gets wrong.

/** Members of a description that hold data, which may look like a schema. */
const DATA = new Set(['example', 'examples', 'value']);

/** A description whose schemas are in the words from which clients are generated. */
export function portable(node: Node): Node {
  if (Array.isArray(node)) return node.map(portable);
  if (!isObjectNode(node)) return node;
  return mapMembers(node, (part, name) => {
    if (name === 'schema') return portableSchema(part);
    if (name === 'schemas') return mapMembers(part, portableSchema);
    return DATA.has(name) ? part : portable(part);
  });
}

/** A schema in those words. It says the same, but for what no type of a client can say. */
export function portableSchema(node: Node): Node {
  if (!isObjectNode(node)) return node;
  return WORDS.reduce((schema, word) => word(schema), withPortableParts(node));
}

function withPortableParts(schema: Members): Members {
  return mapMembers(schema, (part, name) => {
    if (name === 'properties' || name === 'patternProperties')
      return mapMembers(part, portableSchema);
    if (name === 'anyOf' && Array.isArray(part)) return part.map(portableSchema);
    return name === 'items' || name === 'additionalProperties' ? portableSchema(part) : part;
  });
}

const WORDS: readonly ((schema: Members) => Members)[] = [
  closed,
  table,
  wide,
  typed,
  oneText,
  orNull,
  withoutDefault,
];

/** Of a merge patch: members that may be null and nothing else are not described. */
function closed(schema: Members): Members {
  const isNull = membersOf(schema.additionalProperties).type === 'null';
  return isNull ? { ...schema, additionalProperties: false } : schema;
}

/** Members whose names have one pattern: a table of all members, and the pattern of their names. */
function table(schema: Members): Members {
  const { patternProperties, ...rest } = schema;
  const [only, ...others] = Object.entries(membersOf(patternProperties));
  if (only === undefined || others.length > 0) return schema;
  const [pattern, value] = only;
  return { ...rest, propertyNames: { pattern }, additionalProperties: value };
}

const INT32_MAX = 2 ** 31 - 1;

/** Without a format, a number has 32 bits in some languages. */
function wide(schema: Members): Members {
  const { type, maximum } = schema;
  if (type === 'number') return { ...schema, format: 'double' };
  const isNarrow = typeof maximum === 'number' && maximum <= INT32_MAX;
  return type === 'integer' && !isNarrow ? { ...schema, format: 'int64' } : schema;
}

/** Listed texts say that they are texts; of a constant that is no text, the type remains. */
function typed(schema: Members): Members {
  const { const: constant, ...rest } = schema;
  if (typeof constant === 'boolean') return { ...rest, type: 'boolean' };
  const { enum: values } = schema;
  const areTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return areTexts ? { ...schema, type: 'string' } : schema;
}

/** A text in one of several formats: a text. */
function oneText(schema: Members): Members {
  const { anyOf, ...rest } = schema;
  const isText = (one: Node) => membersOf(one).type === 'string' && 'format' in membersOf(one);
  return Array.isArray(anyOf) && anyOf.every(isText) ? { ...rest, type: 'string' } : schema;
}

const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** A scalar or null: two types of one value, not a choice between two schemas. */
function orNull(schema: Members): Members {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const scalar = anyOf.map(membersOf).find(({ type }) => SCALARS.includes(type));
  const hasNull = anyOf.some((one) => membersOf(one).type === 'null');
  if (scalar?.type === undefined || !hasNull) return schema;
  const values = Array.isArray(scalar.enum) ? { enum: [...scalar.enum, null] } : {};
  return { ...scalar, ...rest, ...values, type: [scalar.type, 'null'] };
}

/** Clients would send a default in a patch, which then replaces what was set. */
function withoutDefault(schema: Members): Members {
  const { default: value, ...rest } = schema;
  return value === undefined ? schema : { ...rest, 'x-default': value };
}
