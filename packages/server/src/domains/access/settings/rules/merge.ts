import type { JsonValue } from '@decision-ledger/proof/gate';

export type JsonObject = { [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
