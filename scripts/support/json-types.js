// Prints TypeScript types from the JSON Schemas of the contract.

/** A longer list of constants is printed as its type: nobody reads 170 currency codes. */
const LONGEST_ENUM = 40;

export const HEADING = '// Generated from the contract by scripts/client-types.js.\n';

/**
 * @param modules [{file, schemas: [{name, schema}]}] in an order in which a schema precedes those that use it
 * @returns Map of `<file>.ts` to its text
 */
export function jsonTypes(modules) {
  const named = new Map();
  const files = new Map();
  for (const { file, schemas } of modules) {
    const used = new Map();
    const bodies = schemas.map(({ name, schema }) => {
      const printed = declaration(name, schema, { named, used, file });
      // Empty schemas would stand for each other.
      if (schema.properties !== undefined || schema.anyOf !== undefined) {
        named.set(fingerprint(schema), { name, file });
      }
      return printed;
    });
    const imports = importsOf(used, file).map((line) => `${line}\n`);
    files.set(`${file}.ts`, [HEADING, imports.join(''), ...bodies].join('\n'));
  }
  return files;
}

function importsOf(used, file) {
  return [...groupByFile(used.values())]
    .filter(([from]) => from !== file)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, found]) => {
      const names = found.map(({ name }) => name).sort();
      return `import type { ${names.join(', ')} } from './${from}.js';`;
    });
}

function groupByFile(values) {
  const groups = new Map();
  for (const one of values) groups.set(one.file, [...(groups.get(one.file) ?? []), one]);
  return groups;
}

function declaration(name, schema, context) {
  const comment = commentOf(schema);
  if (schema.type === 'object' && !isOpen(schema) && schema.anyOf === undefined) {
    return `${comment}export interface ${name} ${membersOf(schema, context)}\n`;
  }
  return `${comment}export type ${name} = ${typeText(schema, context)};\n`;
}

function typeText(schema, context) {
  const known = context.named.get(fingerprint(schema));
  if (known !== undefined) {
    context.used.set(known.name, known);
    return known.name;
  }
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return enumText(schema.enum);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    return [...new Set(union.map((branch) => typeText(branch, context)))].join(' | ');
  }
  if (schema.type === 'array') return `readonly (${typeText(schema.items ?? {}, context)})[]`;
  if (schema.type === 'object') return objectText(schema, context);
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

function objectText(schema, context) {
  if (isOpen(schema)) return '{ readonly [name: string]: unknown }';
  return membersOf(schema, context);
}

/** An object of which no member is described. */
function isOpen(schema) {
  const { properties = {}, patternProperties, additionalProperties } = schema;
  if (Object.keys(properties).length > 0 || patternProperties !== undefined) return false;
  return typeof additionalProperties !== 'object';
}

function membersOf(schema, context) {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const optional = required.has(name) ? '' : '?';
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    return `${commentOf(member)}readonly ${key}${optional}: ${typeText(member, context)};`;
  });
  return `{\n${[...members, ...indexesOf(schema, context)].join('\n')}\n}`;
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

function commentOf({ description }) {
  if (description === undefined) return '';
  return `/** ${description.replaceAll('*/', '* /').trim()} */\n`;
}

/** Equal for schemas that describe the same values. */
function fingerprint(schema) {
  const { description: _ignored, ...rest } = schema;
  return JSON.stringify(rest);
}
