import { TlogError } from './error.js';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Characters per call, within the argument limit of all engines. */
const SLICE = 8192;

/**
 * Bytes in the standard base 64 encoding with padding (RFC 4648 section 4).
 *
 * @example
 * ```ts
 * import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
 *
 * encodeBase64(new Uint8Array([251, 255])); // => '+/8='
 * ```
 */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += SLICE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  }
  return btoa(binary);
}

/**
 * Reads standard base 64 with padding. A text has one encoding only: unused bits must be zero.
 *
 * @throws TlogError `text_invalid`
 * @example
 * ```ts
 * import { decodeBase64 } from '@decision-ledger/proof/tlog/base64';
 *
 * decodeBase64('+/8=').length; // => 2
 * ```
 */
export function decodeBase64(text: string): Uint8Array {
  if (!BASE64.test(text)) throw notBase64();
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  if (text.endsWith('=') && encodeBase64(bytes.subarray(-(bytes.length % 3))) !== text.slice(-4)) {
    throw notBase64();
  }
  return bytes;
}

function notBase64(): TlogError {
  return new TlogError('text_invalid', 'This is not base 64 with padding (RFC 4648 section 4).');
}
