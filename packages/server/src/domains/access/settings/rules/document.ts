import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { type TSchema, Type } from 'typebox';

export type JsonObject = { [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The settings that differ from the defaults. */
export function readDocument(text: string | null): JsonObject {
  const value = text === null ? {} : parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('a stored settings document is not an object');
  }
  return value;
}

/** RFC 7396: null removes a member, objects merge, any other value replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const current = result.get(name);
    if (value === null) result.delete(name);
    else if (isObject(value)) result.set(name, mergePatch(isObject(current) ? current : {}, value));
    else result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** Removes empty objects: they set nothing. */
export function withoutEmpty(document: JsonObject): JsonObject {
  const members = Object.entries(document).map(([name, value]): [string, JsonValue] => [
    name,
    isObject(value) ? withoutEmpty(value) : value,
  ]);
  return Object.fromEntries(
    members.filter(([, value]) => !isObject(value) || Object.keys(value).length > 0),
  );
}

/** Location of a secret in the settings. */
export interface SecretPlace {
  /** The same for every item of an array, such as `accounting[].client_secret`. */
  readonly place: string;
  /** `accounting[3].client_secret`, as errors name it. */
  readonly path: string;
}

type Replace = (text: string, at: SecretPlace) => string;

const ROOT: SecretPlace = { place: '', path: '' };

/**
 * A copy of a document, or of a merge patch, in which each text that the schema marks as a secret
 * (`writeOnly`) is replaced. Values that do not match the schema stay as they are.
 */
export function mapSecrets(schema: TSchema, document: JsonObject, replace: Replace): JsonObject {
  const mapped = walk(schema, document, replace, ROOT);
  return isObject(mapped) ? mapped : document;
}

function walk(schema: TSchema, value: JsonValue, replace: Replace, at: SecretPlace): JsonValue {
  if (!containsSecrets(schema)) return value;
  if (Type.IsUnion(schema)) {
    const branch = schema.anyOf.find((candidate) => suits(candidate, value));
    return branch === undefined ? value : walk(branch, value, replace, at);
  }
  if (typeof value === 'string') {
    return isSecret(schema) ? replace(value, at) : value;
  }
  if (Array.isArray(value)) {
    if (!Type.IsArray(schema)) return value;
    return value.map((item, index) => walk(schema.items, item, replace, itemOf(at, index)));
  }
  if (!isObject(value) || !Type.IsObject(schema)) return value;
  const properties = new Map(Object.entries(schema.properties));
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const child = properties.get(name);
    return [name, child === undefined ? member : walk(child, member, replace, memberOf(at, name))];
  });
  return Object.fromEntries(members);
}

const known = new WeakMap<TSchema, boolean>();

/** Whether a schema contains secrets; long lists without one are skipped. */
function containsSecrets(schema: TSchema): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const contains = isSecret(schema) || childrenOf(schema).some(containsSecrets);
  known.set(schema, contains);
  return contains;
}

function isSecret(schema: TSchema): boolean {
  return Reflect.get(schema, 'writeOnly') === true;
}

function childrenOf(schema: TSchema): readonly TSchema[] {
  if (Type.IsUnion(schema)) return schema.anyOf;
  if (Type.IsArray(schema)) return [schema.items];
  return Type.IsObject(schema) ? Object.values(schema.properties) : [];
}

/** Whether a value belongs to this branch of a union; objects are matched by `kind`. */
function suits(schema: TSchema, value: JsonValue): boolean {
  if (!isObject(value)) return typeof value === 'string' && Type.IsString(schema);
  if (!Type.IsObject(schema)) return false;
  const { kind } = schema.properties;
  return kind === undefined || (Type.IsLiteral(kind) && kind.const === value.kind);
}

function itemOf({ place, path }: SecretPlace, index: number): SecretPlace {
  return { place: `${place}[]`, path: `${path}[${index}]` };
}

function memberOf({ place, path }: SecretPlace, name: string): SecretPlace {
  const below = (parent: string) => (parent === '' ? name : `${parent}.${name}`);
  return { place: below(place), path: below(path) };
}
