type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Members = { readonly [key: string]: Json };

/** The two sides of a comparison: a description and the part of it that is compared. */
interface Side {
  readonly root: Members;
  readonly node: Json | undefined;
}

/** What callers send must stay accepted; what they read must stay as promised. */
type Direction = 'sent' | 'read';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The changes between two OpenAPI descriptions that would break a client of the former one. New operations, new
 * optional input, new members of answers and new error codes break nothing.
 */
export function breakingChanges(before: Members, after: Members): string[] {
  return Object.entries(membersOf(before.paths)).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const old = membersOf(operations)[method];
      if (old === undefined) return [];
      const now = membersOf(membersOf(after.paths)[path])[method];
      const name = `${method.toUpperCase()} ${path}`;
      if (now === undefined) return [`${name} was removed`];
      return ofOperation({ root: before, node: old }, { root: after, node: now }, name);
    }),
  );
}

function ofOperation(before: Side, after: Side, name: string): string[] {
  const [old, now] = [resolve(before), resolve(after)];
  const changes: string[] = [];
  if (old.operationId !== now.operationId) changes.push(`${name}: its operationId changed`);
  const accepted = new Set(listOf(now.security).map((one) => Object.keys(membersOf(one)).join()));
  for (const scheme of listOf(old.security).map((one) => Object.keys(membersOf(one)).join())) {
    if (!accepted.has(scheme)) changes.push(`${name} no longer accepts ${scheme}`);
  }
  return [
    ...changes,
    ...ofParameters(before, after, name),
    ...ofBody(before, after, name),
    ...ofAnswers(before, after, name),
  ];
}

function ofParameters(before: Side, after: Side, name: string): string[] {
  const byName = (side: Side) =>
    new Map(
      listOf(resolve(side).parameters).map((one) => {
        const parameter = resolve({ ...side, node: one });
        return [`${parameter.in} ${parameter.name}`, parameter];
      }),
    );
  const [old, now] = [byName(before), byName(after)];
  const added = [...now].filter(([key, { required }]) => !old.has(key) && required === true);
  return [
    ...added.map(([key]) => `${name} requires the new parameter ${key}`),
    ...[...old].flatMap(([key, parameter]) => {
      const current = now.get(key);
      if (current === undefined) return [`${name} no longer accepts ${key}`];
      const becomes = current.required === true && parameter.required !== true;
      return [
        ...(becomes ? [`${name} now requires ${key}`] : []),
        ...ofSchema(
          { ...before, node: parameter.schema },
          { ...after, node: current.schema },
          `${name} ${key}`,
          'sent',
        ),
      ];
    }),
  ];
}

function ofBody(before: Side, after: Side, name: string): string[] {
  const schemaOf = (side: Side): Side => {
    const body = resolve({ ...side, node: resolve(side).requestBody });
    return { ...side, node: membersOf(membersOf(body.content)['application/json']).schema };
  };
  const isRequired = (side: Side) => membersOf(resolve(side).requestBody).required === true;
  const becomes = isRequired(after) && !isRequired(before);
  return [
    ...(becomes ? [`${name} now requires a body`] : []),
    ...ofSchema(schemaOf(before), schemaOf(after), `${name} body`, 'sent'),
  ];
}

function ofAnswers(before: Side, after: Side, name: string): string[] {
  const [old, now] = [membersOf(resolve(before).responses), membersOf(resolve(after).responses)];
  return Object.keys(old)
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => {
      if (now[status] === undefined) return [`${name} no longer answers ${status}`];
      const contents = membersOf(membersOf(old[status]).content);
      return Object.entries(contents).flatMap(([type, media]) => {
        const current = membersOf(membersOf(now[status]).content)[type];
        if (current === undefined) return [`${name} no longer answers ${type}`];
        return ofSchema(
          { ...before, node: membersOf(media).schema },
          { ...after, node: membersOf(current).schema },
          `${name} ${status}`,
          'read',
        );
      });
    });
}

function ofSchema(before: Side, after: Side, at: string, way: Direction, depth = 0): string[] {
  const [old, now] = [resolve(before), resolve(after)];
  // Schemas are not recursive; the limit is a safeguard.
  if (before.node === undefined || depth > 30) return [];
  if (after.node === undefined) return [`${at} lost its schema`];
  if (JSON.stringify(old.type) !== JSON.stringify(now.type)) return [`${at} has another type`];
  const [sides, changes] = [{ before, after }, ofLimits(old, now, at, way)];
  const below = (name: string, one: Json | undefined, other: Json | undefined) =>
    ofSchema(
      { ...sides.before, node: one },
      { ...sides.after, node: other },
      `${at}.${name}`,
      way,
      depth + 1,
    );
  const properties = membersOf(now.properties);
  for (const [name, schema] of Object.entries(membersOf(old.properties))) {
    if (properties[name] === undefined) changes.push(`${at}.${name} was removed`);
    else changes.push(...below(name, schema, properties[name]));
  }
  const requiredOf = (schema: Members) => new Set(listOf(schema.required).map(String));
  const [wasRequired, isRequired] = [requiredOf(old), requiredOf(now)];
  for (const name of way === 'sent' ? isRequired : wasRequired) {
    const other = way === 'sent' ? wasRequired : isRequired;
    if (other.has(name)) continue;
    changes.push(way === 'sent' ? `${at}.${name} became required` : `${at}.${name} may be missing`);
  }
  if (old.items !== undefined) changes.push(...below('[]', old.items, now.items));
  const [oldForms, newForms] = [listOf(old.anyOf), listOf(now.anyOf)];
  const isLost =
    way === 'sent' ? newForms.length < oldForms.length : newForms.length > oldForms.length;
  if (isLost) changes.push(`${at} has other alternatives`);
  oldForms.forEach((form, index) => {
    if (newForms[index] !== undefined)
      changes.push(...below(`anyOf[${index}]`, form, newForms[index]));
  });
  return changes;
}

/** Narrower input breaks callers. Answers may use new values of an enum: clients must accept unknown ones. */
function ofLimits(old: Members, now: Members, at: string, way: Direction): string[] {
  if (way === 'read') return [];
  const values = listOf(now.enum);
  const lost =
    now.enum === undefined ? [] : listOf(old.enum).filter((one) => !values.includes(one));
  const isTighter = (name: string, sign: 1 | -1) => {
    const [limit, former] = [now[name], old[name]];
    if (typeof limit !== 'number') return false;
    return typeof former !== 'number' || sign * limit < sign * former;
  };
  const tighter = [
    ...['maximum', 'maxLength', 'maxItems', 'maxProperties'].filter((name) => isTighter(name, 1)),
    ...['minimum', 'minLength', 'minItems'].filter((name) => isTighter(name, -1)),
  ];
  const isClosed = old.enum === undefined && now.enum !== undefined;
  return [
    ...lost.map((one) => `${at} no longer accepts ${JSON.stringify(one)}`),
    ...tighter.map((name) => `${at} has a tighter ${name}`),
    ...(isClosed ? [`${at} accepts listed values only`] : []),
    ...(now.pattern !== undefined && now.pattern !== old.pattern && !isLonger(old, now)
      ? [`${at} has another pattern`]
      : []),
  ];
}

/** Whether both patterns are of lists of known values, and the new one knows all former values. */
function isLonger(old: Members, now: Members): boolean {
  const [former, values] = [valuesOf(old.pattern), valuesOf(now.pattern)];
  return former !== null && values !== null && former.every((value) => values.includes(value));
}

/** The values of a pattern such as `^(?:a|b)(?:,(?:a|b))*$`; null for any other one. */
function valuesOf(pattern: Json | undefined): readonly string[] | null {
  const [, first, others] =
    /^\^\(\?:([\w\\.|]+)\)\(\?:,\(\?:([\w\\.|]+)\)\)\*\$$/.exec(String(pattern)) ?? [];
  return first === undefined || first !== others ? null : first.split('|');
}

function resolve({ root, node }: Side): Members {
  const { $ref } = membersOf(node);
  if (typeof $ref !== 'string') return membersOf(node);
  const steps = $ref.slice(2).split('/');
  return membersOf(
    steps.reduce<Json | undefined>((part, step) => membersOf(part)[step], { ...root }),
  );
}

function membersOf(node: Json | undefined): Members {
  return typeof node === 'object' && node !== null && !Array.isArray(node) ? node : {};
}

function listOf(node: Json | undefined): readonly Json[] {
  return Array.isArray(node) ? node : [];
}
