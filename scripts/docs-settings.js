// The rows of the settings reference, generated from the schema of the settings.

/**
 * The rows of the settings: path, default, allowed values and meaning. An array is followed by the members
 * of its items, a table by those of its values.
 */
export function settingRows(schema, path = '') {
  const variants = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
  const objects = variants.filter(({ properties }) => properties !== undefined);
  const own = objects.length === 0 ? [row(path, schema, variants)] : [];
  const items = schema.type === 'array' && hasMembers(schema.items) ? [schema.items] : [];
  const below = items.flatMap((item) => settingRows(item, `${path}[]`));
  const values = Object.values(schema.patternProperties ?? {}).filter(hasMembers);
  const inTable = values.flatMap((value) => settingRows(value, `${path}.*`));
  return [...own, ...members(objects, path), ...below, ...inTable];
}

function hasMembers({ anyOf, properties }) {
  return anyOf !== undefined || properties !== undefined;
}

/** Members of an object. With several kinds of object, members that not all have are annotated. */
function members(objects, path) {
  const rows = new Map();
  for (const { properties } of objects) {
    for (const [name, child] of Object.entries(properties)) {
      if (rows.has(name)) continue;
      const owners = objects.filter((object) => object.properties[name] !== undefined);
      const kinds = owners.map((owner) => owner.properties.kind?.const);
      const isShared = owners.length === objects.length;
      const isOptional = owners.some(({ required }) => required?.includes(name) !== true);
      const note = `${isShared ? '' : `For ${kinds.join(', ')}. `}${isOptional ? 'Optional. ' : ''}`;
      const below = path === '' ? name : `${path}.${name}`;
      const choice = { const: objects.map((object) => object.properties.kind?.const) };
      const shown = name === 'kind' ? { ...choice, description: 'Which system it is.' } : child;
      rows.set(name, noted(settingRows(shown, below), note));
    }
  }
  return [...rows.values()].flat();
}

function noted([first, ...rest], note) {
  const [path, value, allowed, meaning] = first;
  return [[path, value, allowed, `${note}${meaning}`], ...rest];
}

function row(path, schema, variants) {
  const isNullable = variants.length < (schema.anyOf?.length ?? 1);
  const allowed = variants.map(allowedOf).join(' or ');
  const value = defaultOf(schema);
  const meaning = schema.description ?? variants[0]?.description ?? '';
  return [code(path), value, isNullable ? `${allowed}, or null` : allowed, meaning];
}

/** A default of many items has a table of its own. */
const MOST_ITEMS = 10;

function defaultOf({ default: value }) {
  if (value === undefined) return '–';
  if (Array.isArray(value) && value.length > MOST_ITEMS) return `${value.length} items`;
  return code(textOf(value));
}

function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function allowedOf(schema) {
  if (schema.const !== undefined) return schema.const.map(code).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map(code).join(' or ');
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema);
  if (schema.maxProperties !== undefined) return `object, at most ${schema.maxProperties} members`;
  if (schema.type === 'array') return `array, at most ${schema.maxItems} items`;
  const atMost = schema.maxLength === undefined ? '' : `, at most ${schema.maxLength} characters`;
  return `${schema.type}${atMost}`;
}

function numberOf({ type, minimum, exclusiveMinimum, maximum }) {
  const from = minimum ?? `above ${exclusiveMinimum}`;
  return `${type}, ${from} to ${maximum}`;
}

function code(text) {
  return `\`${text}\``;
}
