import { sha256OfBase64url } from './hash.js';
import { quote } from './json.js';

const SALT = /^[\w-]{22}$/;
const OPENING = /^\["[\w-]{22}",/;
const OPENING_LENGTH = 26;

/**
 * The disclosure of one field (RFC 9901 section 4.2.1) as canonical JSON.
 *
 * @param salt 128 random bits as 22 base64url characters
 * @param name name of the field
 * @param canonicalValue canonical JSON text of the field's value
 * @returns the array of salt, name and value, without white space
 * @throws TypeError if the salt is malformed
 * @example
 * ```ts
 * import { disclosureText } from '@decision-ledger/proof/commitment';
 *
 * disclosureText('AAAAAAAAAAAAAAAAAAAAAA', 'inputs', '{"amount":5}');
 * // => '["AAAAAAAAAAAAAAAAAAAAAA","inputs",{"amount":5}]'
 * ```
 */
export function disclosureText(salt: string, name: string, canonicalValue: string): string {
  if (!SALT.test(salt)) {
    throw new TypeError('A salt must be 22 base64url characters.');
  }
  return `["${salt}",${quote(name)},${canonicalValue}]`;
}

/**
 * The digest of a field in an entry (RFC 9901 section 4.2.3).
 *
 * @param disclosure a text made by `disclosureText`
 * @returns 43 base64url characters: SHA-256 of the base64url form of the disclosure
 * @throws TypeError if the text contains a lone surrogate
 * @example
 * ```ts
 * import { commitmentOf } from '@decision-ledger/proof/commitment';
 *
 * commitmentOf('["AAAAAAAAAAAAAAAAAAAAAA","inputs",{"amount":5}]');
 * // => '2oKeMf2Ta7IUZxAGQqeJ09YxwfDm9TDRuETeaoBRMyY'
 * ```
 */
export function commitmentOf(disclosure: string): string {
  return sha256OfBase64url(disclosure);
}

/**
 * Splits a disclosure. The value is returned unparsed, because its commitment proves it.
 *
 * @returns the salt and the canonical JSON text of the value
 * @throws TypeError if the text is not a disclosure of that field
 * @example
 * ```ts
 * import { parseDisclosure } from '@decision-ledger/proof/commitment';
 *
 * parseDisclosure('["AAAAAAAAAAAAAAAAAAAAAA","inputs",{"amount":5}]', 'inputs');
 * // => { salt: 'AAAAAAAAAAAAAAAAAAAAAA', value: '{"amount":5}' }
 * ```
 */
export function parseDisclosure(disclosure: string, name: string): { salt: string; value: string } {
  const quotedName = quote(name);
  if (!isDisclosure(disclosure, quotedName)) {
    throw new TypeError(`The text is not a disclosure of the field ${quotedName}.`);
  }
  return {
    salt: disclosure.slice(2, OPENING_LENGTH - 2),
    value: disclosure.slice(OPENING_LENGTH + quotedName.length + 1, -1),
  };
}

/** Whether a text has the form of a disclosure; `quotedName` is the name as a JSON string. */
export function isDisclosure(disclosure: string, quotedName: string): boolean {
  const valueStart = OPENING_LENGTH + quotedName.length + 1;
  return (
    disclosure.length > valueStart + 1 &&
    OPENING.test(disclosure) &&
    disclosure.startsWith(quotedName, OPENING_LENGTH) &&
    disclosure[valueStart - 1] === ',' &&
    disclosure.endsWith(']')
  );
}
