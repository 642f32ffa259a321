import { sha256Bytes } from '../hash.js';
import { decodeBase64, encodeBase64 } from './base64.js';
import { TlogError } from './error.js';

/** The public key of a signer, in the terms of C2SP signed-note (https://c2sp.org/signed-note). */
export interface VerifierKey {
  readonly name: string;
  /** 32 bits, unsigned. */
  readonly keyId: number;
  /** Ed25519 (RFC 8032): 32 bytes. */
  readonly publicKey: Uint8Array;
}

const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const MAX_NAME = 256;
const VKEY = /^([^+]*)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]*)$/;
const encoder = new TextEncoder();

/**
 * Whether a text can name a key: 1 to 256 characters, without spaces and without a plus.
 *
 * @example
 * ```ts
 * import { isKeyName } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * isKeyName('example.com/log'); // => true
 * isKeyName('my log'); // => false
 * ```
 */
export function isKeyName(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME && !/[\p{White_Space}\p{Cc}\p{Cs}+]/u.test(name);
}

/**
 * The verifier key of an Ed25519 public key.
 *
 * @param publicKey 32 bytes (RFC 8032)
 * @throws TlogError `key_invalid`
 * @example
 * ```ts
 * import { verifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * verifierKey('example.com/log', new Uint8Array(32)).keyId; // => 2746054363
 * ```
 */
export function verifierKey(name: string, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) {
    throw new TlogError('key_invalid', 'The name of a key has neither spaces nor a plus.');
  }
  if (publicKey.length !== KEY_BYTES) {
    throw new TlogError('key_invalid', `An Ed25519 key has 32 bytes, not ${publicKey.length}.`);
  }
  return { name, keyId: keyIdOf(name, publicKey), publicKey };
}

/**
 * The text of a verifier key: name, key id and key, separated by plus signs.
 *
 * @example
 * ```ts
 * import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * verifierKeyText(verifierKey('example.com/log', new Uint8Array(32)));
 * // => 'example.com/log+a3ad76db+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
 * ```
 */
export function verifierKeyText({ name, keyId, publicKey }: VerifierKey): string {
  const id = keyId.toString(16).padStart(2 * ID_BYTES, '0');
  return `${name}+${id}+${encodeBase64(new Uint8Array([ED25519, ...publicKey]))}`;
}

/**
 * Reads the text of a verifier key, and checks its id.
 *
 * @throws TlogError `key_invalid`, `key_unsupported`, `text_invalid`
 * @example
 * ```ts
 * import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
 *
 * const text = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
 * parseVerifierKey(text).name; // => 'example.com/foo'
 * ```
 */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id = '', encoded = ''] = VKEY.exec(text) ?? [];
  if (!isKeyName(name)) {
    const message = 'A verifier key is a name, a key id and a key, separated by plus signs.';
    throw new TlogError('key_invalid', message);
  }
  const [algorithm, ...bytes] = decodeBase64(encoded);
  if (algorithm !== ED25519) {
    throw new TlogError('key_unsupported', `The key of ${name} is not an Ed25519 key.`);
  }
  const key = verifierKey(name, new Uint8Array(bytes));
  if (key.keyId === Number.parseInt(id, 16)) return key;
  throw new TlogError('key_invalid', `The key id of ${name} does not belong to its key.`);
}

/** The first 4 bytes of SHA-256 over the name, a newline, the byte 1 and the key. */
function keyIdOf(name: string, publicKey: Uint8Array): number {
  const hash = sha256Bytes(new Uint8Array([...encoder.encode(`${name}\n`), ED25519, ...publicKey]));
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0);
}
