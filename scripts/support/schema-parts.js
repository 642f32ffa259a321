// Finds the parts of JSON Schemas by their paths.

/**
 * @param path such as `Pnl.by_agent[]` or `Pnl{as_of,activity_seq}`; what may be null is taken without it
 * @param schemaOf gives the schema of a name
 * @returns the part without its description, which is that of the member
 */
export function partOf(path, schemaOf) {
  const [root, ...steps] = path.match(/\w+|\[\]|\{[^}]*\}/g);
  const part = steps.reduce((schema, step) => {
    const next = stepInto(withoutNull(schema), step);
    if (next === undefined) throw new Error(`${path} does not exist`);
    return next;
  }, schemaOf(root));
  const { description: _ofMember, ...rest } = withoutNull(part);
  return rest;
}

function stepInto(schema, step) {
  if (step === '[]') return schema.items;
  if (!step.startsWith('{')) return schema.properties?.[step];
  const names = step.slice(1, -1).split(',');
  const properties = Object.fromEntries(names.map((name) => [name, schema.properties?.[name]]));
  if (Object.values(properties).includes(undefined)) return undefined;
  return {
    type: 'object',
    properties,
    required: (schema.required ?? []).filter((name) => names.includes(name)),
  };
}

function withoutNull(schema) {
  const branches = schema.anyOf?.filter(({ type }) => type !== 'null');
  return branches?.length === 1 ? branches[0] : schema;
}
