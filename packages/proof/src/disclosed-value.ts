import { parseDisclosure } from './commitment.js';
import { type JsonValue, parseJson } from './gate.js';

/**
 * The value that a stored disclosure discloses. Whether it is what was committed to is not looked at.
 *
 * @throws TypeError when the text is not the disclosure of a field of that name
 * @throws GateError when its value is not JSON that survives faithfully
 */
export function disclosedValue(disclosure: string, name: string): JsonValue {
  return parseJson(parseDisclosure(disclosure, name).value);
}

/**
 * The same for who has to go on where somebody tampered with what is stored: to find that is the task
 * of a verification.
 *
 * @returns undefined where nothing is disclosed, or nothing that can be read
 */
export function legibleValue(disclosure: string | null, name: string): JsonValue | undefined {
  if (disclosure === null) return undefined;
  try {
    return disclosedValue(disclosure, name);
  } catch {
    return undefined;
  }
}
