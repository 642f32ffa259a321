import { degrade, type Json, type JsonMembers } from './degrade.js';
import type { Marks } from './marks.js';

/** A decision as JSON, and where it is not what was given. */
export interface PayloadCopy {
  readonly members: JsonMembers;
  readonly marks: Marks;
}

/** The fields of a decision that must be objects. */
const OBJECTS = ['inputs', 'outputs', 'metadata'];

/**
 * Copies a decision as the service can hold it. What stands in the place of an object, such as a list, is kept under
 * `value`.
 * @returns null if it is no object
 */
export function copyPayload(
  decision: unknown,
  sha256: (bytes: Uint8Array) => string,
): PayloadCopy | null {
  const { value, marks } = degrade(decision, sha256);
  if (!isMembers(value)) return null;
  for (const name of OBJECTS) {
    if (value[name] !== undefined) value[name] = asObject(value[name], `/${name}`, marks);
  }
  const { alternatives } = value;
  if (alternatives !== undefined) value.alternatives = asObjects(alternatives, marks);
  return { members: value, marks };
}

/** A list of objects. */
function asObjects(value: Json, marks: Marks): Json[] {
  const path = '/alternatives';
  if (Array.isArray(value)) {
    return value.map((one, index) => asObject(one, `${path}/${index}`, marks));
  }
  marks.move(path, `${path}/0`);
  marks.add(() => ['alternatives']);
  return [asObject(value, `${path}/0`, marks)];
}

function asObject(value: Json, path: string, marks: Marks): JsonMembers {
  if (isMembers(value)) return value;
  marks.move(path, `${path}/value`);
  marks.add(() => path.split('/').slice(1));
  return { value };
}

/** The decision with its marks in the metadata. What stood there under their names stands in brackets. */
export function withMarks({ members, marks }: PayloadCopy): JsonMembers {
  const told = marks.metadata;
  if (told === null) return members;
  const own = Object.entries(objectAt(members, 'metadata')).map(([name, value]) => [
    Object.hasOwn(told, name) ? `[${name}]` : name,
    value,
  ]);
  return { ...members, metadata: { ...Object.fromEntries(own), ...told } };
}

/** The object in a field; an empty one if there is none. */
export function objectAt(decision: JsonMembers, field: string): JsonMembers {
  const value = decision[field];
  return value !== undefined && isMembers(value) ? value : {};
}

/** Whether a value stands at a path. */
export function isAt(value: Json, names: readonly string[]): boolean {
  let found: unknown = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return false;
    found = Reflect.get(found, name);
  }
  return true;
}

function isMembers(value: Json): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
