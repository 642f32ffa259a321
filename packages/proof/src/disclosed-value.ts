import { parseDisclosure } from './commitment.js';
import { type JsonValue, parseJson } from './gate.js';

/**
 * The value in a stored disclosure, without checking its commitment.
 *
 * @throws TypeError if the text is not a disclosure of that field
 * @throws GateError if its value is not JSON that can be stored faithfully
 * @example
 * ```ts
 * import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
 *
 * disclosedValue('["AAAAAAAAAAAAAAAAAAAAAA","inputs",{"amount":5}]', 'inputs'); // => { amount: 5 }
 * ```
 */
export function disclosedValue(disclosure: string, name: string): JsonValue {
  return parseJson(parseDisclosure(disclosure, name).value);
}

/**
 * Like `disclosedValue`, but tolerates a disclosure that was tampered with, which verification reports.
 *
 * @returns undefined if there is no readable disclosure
 * @example
 * ```ts
 * import { legibleValue } from '@decision-ledger/proof/disclosed-value';
 *
 * legibleValue('["AAAAAAAAAAAAAAAAAAAAAA","inputs",5]', 'inputs'); // => 5
 * legibleValue('tampered', 'inputs'); // => undefined
 * ```
 */
export function legibleValue(disclosure: string | null, name: string): JsonValue | undefined {
  if (disclosure === null) return undefined;
  try {
    return disclosedValue(disclosure, name);
  } catch {
    return undefined;
  }
}
