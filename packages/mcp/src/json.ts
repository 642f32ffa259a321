export type JsonMembers = Readonly<Record<string, unknown>>;

/** Whether a parsed value is a JSON object. */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a member; an empty one if there is none. */
export function membersAt(value: JsonMembers, name: string): JsonMembers {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isMembers(found) ? found : {};
}
