import { Pairs, readExactly } from '@decision-ledger/client/values';
import { GateError, parseJson } from '@decision-ledger/proof/gate';

export type JsonMembers = Readonly<Record<string, unknown>>;

/**
 * The value of a JSON text, with all that it says: what JSON values cannot hold is as the client records it, by its
 * table of odd values.
 * @returns undefined if the text is no JSON
 */
export function readJson(text: string): unknown {
  try {
    return parseJson(text, Number.POSITIVE_INFINITY);
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    return error.kind === 'syntax' ? undefined : readExactly(text);
  }
}

/** The members of a JSON object; of several with one name the last, as other readers have it. Null if it is none. */
export function membersOf(value: unknown): JsonMembers | null {
  if (value instanceof Pairs) return Object.fromEntries(value.entries);
  return isMembers(value) ? value : null;
}

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a member; an empty one if there is none. */
export function membersAt(value: JsonMembers, name: string): JsonMembers {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isMembers(found) ? found : {};
}
