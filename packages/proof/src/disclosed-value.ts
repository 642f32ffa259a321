import { parseDisclosure } from './commitment.js';
import { type JsonValue, parseJson } from './gate.js';

/**
 * The value in a stored disclosure, without checking its commitment.
 *
 * @throws TypeError if the text is not a disclosure of that field
 * @throws GateError if its value is not JSON that can be stored faithfully
 */
export function disclosedValue(disclosure: string, name: string): JsonValue {
  return parseJson(parseDisclosure(disclosure, name).value);
}

/**
 * Like `disclosedValue`, but tolerates a disclosure that was tampered with, which verification reports.
 *
 * @returns undefined if there is no readable disclosure
 */
export function legibleValue(disclosure: string | null, name: string): JsonValue | undefined {
  if (disclosure === null) return undefined;
  try {
    return disclosedValue(disclosure, name);
  } catch {
    return undefined;
  }
}
