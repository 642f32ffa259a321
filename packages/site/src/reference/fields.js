// Schemas as rows of a table: one for each field, with the path that leads to it.

/** Deeper fields are seen in the example. */
const DEEPEST = 4;

/** @returns {[path: string, type: string, meaning: string][]} */
export function fieldRows(schema, path = '', depth = 0) {
  const objects = variantsOf(schema).filter(({ properties }) => properties !== undefined);
  const rows = new Map();
  for (const { properties, required = [] } of objects) {
    for (const [name, child] of Object.entries(properties)) {
      const own = path === '' ? name : `${path}.${name}`;
      if (rows.has(own)) continue;
      const must = required.includes(name) ? '' : 'Optional. ';
      rows.set(own, [own, typeOf(child), `${must}${meaningOf(child)}`]);
      if (depth < DEEPEST) {
        for (const row of fieldRows(child, own, depth + 1)) rows.set(row[0], row);
      }
    }
  }
  const items = variantsOf(schema).find(({ type }) => type === 'array')?.items;
  return [...rows.values(), ...(items === undefined ? [] : fieldRows(items, `${path}[]`, depth))];
}

function variantsOf(schema) {
  return schema.anyOf?.flatMap(variantsOf) ?? schema.oneOf?.flatMap(variantsOf) ?? [schema];
}

export function typeOf(schema) {
  const names = variantsOf(schema).map(nameOf);
  return [...new Set(names)].join(' or ');
}

function nameOf(schema) {
  const { type, format, enum: values, const: value, items } = schema;
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values !== undefined) return values.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items)}`;
  if (Array.isArray(type)) return type.map((one) => nameOf({ ...schema, type: one })).join(' or ');
  return (type === 'string' && format) || (type ?? 'any JSON value');
}

export function meaningOf(schema) {
  const variants = variantsOf(schema);
  const description = schema.description ?? variants.find((one) => one.description)?.description;
  const stated = /\bfrom \d/i.test(description ?? '') ? {} : (variants[0] ?? schema);
  return [description, rangeOf(stated)].filter(Boolean).join(' ');
}

function rangeOf({ minimum, maximum, minLength, maxLength, maxItems, 'x-default': value }) {
  const parts = [];
  if (minimum !== undefined && maximum !== undefined) parts.push(`From ${minimum} to ${maximum}.`);
  if (maxLength !== undefined) parts.push(`${minLength ?? 0} to ${maxLength} characters.`);
  if (maxItems !== undefined) parts.push(`At most ${maxItems} items.`);
  if (value !== undefined) parts.push(`Default: \`${JSON.stringify(value)}\`.`);
  return parts.join(' ');
}
