// Prints TypeScript types from the JSON Schemas of the contract. What equals a type that was printed
// before becomes its name, what adds members to one extends it, and a merge patch of one is `MergePatch`.

/** A longer list of constants is printed as its type: nobody reads 170 currency codes. */
const LONGEST_ENUM = 40;

const MERGE_PATCH = { name: 'MergePatch', file: '../merge-patch' };

export const HEADING = '// Generated from the contract by scripts/client-types.js.\n';

/**
 * @param modules [{file, schemas: [{name, schema, isPart}]}] in an order in which a schema precedes those that
 *   use it. A part may have a single member and still be extended; elsewhere that is a coincidence.
 * @returns Map of `<file>.ts` to its text
 */
export function jsonTypes(modules) {
  const known = { texts: new Map(), scalars: new Map(), bases: [] };
  const files = new Map();
  for (const { file, schemas } of modules) {
    const used = new Map();
    const context = { ...known, used };
    const bodies = schemas.map(({ name, schema, isPart }) => {
      const printed = declaration(name, schema, context);
      register({ name, file }, { schema, isPart }, known);
      return printed;
    });
    const text = bodies.join('\n');
    const imports = importsOf(namesIn(text, used), file).map((line) => `${line}\n`);
    files.set(`${file}.ts`, [HEADING, imports.join(''), text].join('\n'));
  }
  return files;
}

/** Makes a printed type known to what follows. The first of equal types stands for all. */
function register(type, { schema, isPart }, known) {
  const { texts, scalars, bases } = known;
  const context = { ...known, used: new Map() };
  const add = (text, types) => {
    if (!texts.has(text)) texts.set(text, types);
  };
  if (schema.anyOf !== undefined || schema.enum !== undefined) add(expand(schema, context), [type]);
  else if (schema.type in SCALARS) scalars.set(`${schema.type} ${schema.description}`, type);
  else if (!isOpen(schema)) {
    const lines = linesOf(schema, context);
    add(keyOf(lines), [type]);
    add(keyOf(linesOf(patchOf(schema), context)), [MERGE_PATCH, type]);
    if (isPart || lines.length > 1) bases.push({ type, lines });
    bases.sort((a, b) => b.lines.length - a.lines.length);
  }
}

/** The types that a text names: others were used in parts that got a name. */
function namesIn(text, used) {
  const code = text.replaceAll(/\/\*\*.*?\*\//g, '');
  return [...used.values()].filter(({ name }) => new RegExp(`\\b${name}\\b`).test(code));
}

function importsOf(used, file) {
  return [...groupByFile(used)]
    .filter(([from]) => from !== file)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, found]) => {
      const names = found.map(({ name }) => name).sort();
      const path = from.startsWith('.') ? from : `./${from}`;
      return `import type { ${names.join(', ')} } from '${path}.js';`;
    });
}

function groupByFile(values) {
  const groups = new Map();
  for (const one of values) groups.set(one.file, [...(groups.get(one.file) ?? []), one]);
  return groups;
}

function declaration(name, schema, context) {
  const comment = commentOf(schema);
  const lines = isClosed(schema) ? linesOf(schema, context) : [];
  if (lines.length === 0 || nameOf(keyOf(lines), context) !== undefined) {
    return `${comment}export type ${name} = ${typeText(schema, context)};\n`;
  }
  const { bases, rest } = split(lines, context);
  const extended = bases.length > 0 ? ` extends ${bases.join(', ')}` : '';
  return `${comment}export interface ${name}${extended} ${block(rest)}\n`;
}

function typeText(schema, context) {
  if (isClosed(schema)) {
    const lines = linesOf(schema, context);
    return nameOf(keyOf(lines), context) ?? objectText(lines, context);
  }
  const text = expand(schema, context);
  return nameOf(text, context) ?? text;
}

/** The name of a type that was printed before; undefined without one. */
function nameOf(key, { texts, used }) {
  const types = texts.get(key);
  if (types === undefined) return undefined;
  for (const type of types) used.set(type.name, type);
  const [first, ...rest] = types.map(({ name }) => name);
  return rest.length > 0 ? `${first}<${rest.join(', ')}>` : first;
}

function objectText(lines, context) {
  const { bases, rest } = split(lines, context);
  return [...bases, ...(rest.length > 0 ? [block(rest)] : [])].join(' & ');
}

/** The type of anything but an object with members. */
function expand(schema, context) {
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return enumText(schema.enum);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    return [...new Set(union.map((branch) => typeText(branch, context)))].join(' | ');
  }
  if (schema.type === 'array') return `readonly (${typeText(schema.items ?? {}, context)})[]`;
  if (schema.type === 'object') return '{ readonly [name: string]: unknown }';
  return SCALARS[schema.type] ?? 'unknown';
}

const SCALARS = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function enumText(values) {
  if (values.length > LONGEST_ENUM) return typeof values[0];
  return values.map(literal).join(' | ');
}

function literal(value) {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

/** The types whose members are all among `lines`, the largest first, and the other lines. */
function split(lines, { bases, used }) {
  let rest = lines;
  const found = bases.filter((base) => {
    if (!base.lines.every((line) => rest.includes(line))) return false;
    rest = rest.filter((line) => !base.lines.includes(line));
    used.set(base.type.name, base.type);
    return true;
  });
  return { bases: found.map(({ type }) => type.name), rest };
}

/** An object of which members are described. */
function isClosed(schema) {
  return schema.type === 'object' && schema.anyOf === undefined && !isOpen(schema);
}

/** An object of which no member is described. */
function isOpen(schema) {
  const { properties = {}, patternProperties, additionalProperties } = schema;
  if (Object.keys(properties).length > 0 || patternProperties !== undefined) return false;
  return typeof additionalProperties !== 'object';
}

/** The members of an object, a text each. */
function linesOf(schema, context) {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const optional = required.has(name) ? '' : '?';
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    const scalar = scalarOf(member, context);
    if (scalar !== undefined) return `readonly ${key}${optional}: ${scalar};`;
    return `${commentOf(member)}readonly ${key}${optional}: ${typeText(member, context)};`;
  });
  return [...members, ...indexesOf(schema, context)];
}

/** The name of a scalar that says the same as the description; undefined without one. */
function scalarOf({ type, description }, { scalars, used }) {
  const found = scalars.get(`${type} ${description}`);
  if (found !== undefined) used.set(found.name, found);
  return found?.name;
}

/** The same for the same members in any order. */
function keyOf(lines) {
  return block([...lines].sort());
}

function block(lines) {
  return `{\n${lines.join('\n')}\n}`;
}

/** The value of members that are not named; an object with named ones has no others that matter. */
function indexesOf({ properties = {}, patternProperties = {}, additionalProperties }, context) {
  const rest = typeof additionalProperties === 'object' ? [['', additionalProperties]] : [];
  const lines = [...Object.entries(patternProperties), ...rest].flatMap(([pattern, member]) => {
    const [, prefix] = /^\^(\w+)\\\./.exec(pattern) ?? [];
    if (prefix === undefined && Object.keys(properties).length > 0) return [];
    const key = prefix === undefined ? 'string' : `\`${prefix}.\${string}\``;
    return [`readonly [name: ${key}]: ${typeText(member, context)};`];
  });
  return [...new Set(lines)].slice(0, 1);
}

/** The RFC 7396 merge patch of an object: each member may be absent, or null, which resets it. */
function patchOf(schema) {
  if (schema.type !== 'object') return schema;
  const { required: _all, properties, patternProperties, ...rest } = schema;
  const members = (table) =>
    Object.fromEntries(Object.entries(table).map(([name, one]) => [name, orNull(patchOf(one))]));
  return {
    ...rest,
    ...(properties !== undefined && { properties: members(properties) }),
    ...(patternProperties !== undefined && { patternProperties: members(patternProperties) }),
  };
}

function orNull(schema) {
  const branches = schema.anyOf ?? [schema];
  return { description: schema.description, anyOf: [...branches, { type: 'null' }] };
}

function commentOf({ description }) {
  if (description === undefined) return '';
  return `/** ${description.replaceAll('*/', '* /').trim()} */\n`;
}
