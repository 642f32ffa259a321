import { readJson, Shape, ShapeError } from '@decision-ledger/proof/bundle/shape';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { Files } from './files.js';

const KEYS = 'keys.json';

/** Fingerprints of all signing keys that the organisation ever had, with their retirement times. */
export type SigningKeys = ReadonlyMap<string, string | null>;

/** Checks that keys.json lists signing keys with correct fingerprints, including that of the bundle. */
export async function checkKeys(
  files: Files,
  own: PublicKey | null,
  findings: Findings,
): Promise<SigningKeys> {
  const text = await files.text(KEYS);
  if (text === null) return new Map();
  let keys: SigningKeys;
  try {
    keys = readKeys(text);
  } catch (error) {
    const message = `keys.json does not have the required form: ${reason(error)}.`;
    findings.fail('integrity', { code: 'keys_shape', file: KEYS, message });
    return new Map();
  }
  if (own !== null && !keys.has(own.fingerprint)) {
    const message = `keys.json does not list the key of the bundle, ${own.fingerprint}.`;
    findings.fail('integrity', { code: 'key_unlisted', file: KEYS, message });
  }
  return keys;
}

function readKeys(text: string): SigningKeys {
  const keys = new Map<string, string | null>();
  const listed = new Shape(readJson(text)).array('signing_keys');
  for (const [index, value] of listed.entries()) {
    const key = new Shape(value, `signing_keys[${index}]`);
    const fingerprint = key.hash('fingerprint');
    if (readPem(key.text('public_key')).fingerprint !== fingerprint) {
      throw new Error(`signing_keys[${index}].fingerprint is not that of its public_key`);
    }
    if (keys.has(fingerprint)) throw new Error(`signing_keys[${index}] appears twice`);
    key.time('created_at');
    keys.set(fingerprint, key.optTime('retired_at'));
  }
  return keys;
}

const PEM =
  /^-----BEGIN PUBLIC KEY-----\n((?:[A-Za-z0-9+/=]{1,76}\n)+)-----END PUBLIC KEY-----\n?$/;
const MIN_BITS = 2048;
/** 65537, big-endian. */
const EXPONENT = '1,0,1';

export const ALGORITHM = 'RSASSA-PKCS1-v1_5';

/** A key in DER (SubjectPublicKeyInfo, RFC 5280) and its SHA-256 in hexadecimal. */
export interface PublicKey {
  readonly der: Uint8Array<ArrayBuffer>;
  readonly fingerprint: string;
}

/**
 * Reads a public key in PEM (RFC 7468).
 * @throws ShapeError
 */
export function readPem(text: string): PublicKey {
  const body = PEM.exec(text.replaceAll('\r\n', '\n'))?.[1];
  if (body === undefined) throw new ShapeError('It is not a public key in PEM.');
  let binary: string;
  try {
    binary = atob(body.replaceAll('\n', ''));
  } catch {
    throw new ShapeError('It is not a public key in PEM: its base64 is invalid.');
  }
  const der = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const hash = sha256Stream();
  hash.update(der);
  return { der, fingerprint: hash.hex() };
}

/**
 * @returns the key for verifying RSASSA-PKCS1-v1_5 signatures with SHA-256 (RFC 8017)
 * @throws ShapeError if the key is of another kind, or weak
 */
export async function importKey({ der }: PublicKey): Promise<CryptoKey> {
  let key: CryptoKey;
  const algorithm = { name: ALGORITHM, hash: 'SHA-256' };
  try {
    key = await globalThis.crypto.subtle.importKey('spki', der, algorithm, true, ['verify']);
  } catch {
    throw new ShapeError('It is not an RSA public key.');
  }
  const { modulusLength, publicExponent } = rsaFigures(key.algorithm);
  if (modulusLength < MIN_BITS)
    throw new ShapeError(`It has ${modulusLength} bits, fewer than ${MIN_BITS}.`);
  if (String([...publicExponent]) !== EXPONENT) throw new ShapeError('Its exponent is not 65537.');
  return key;
}

function rsaFigures(algorithm: KeyAlgorithm): {
  modulusLength: number;
  publicExponent: Uint8Array;
} {
  const { modulusLength, publicExponent } = {
    modulusLength: 'modulusLength' in algorithm ? algorithm.modulusLength : null,
    publicExponent: 'publicExponent' in algorithm ? algorithm.publicExponent : null,
  };
  if (typeof modulusLength !== 'number' || !(publicExponent instanceof Uint8Array)) {
    throw new ShapeError('It is not an RSA public key.');
  }
  return { modulusLength, publicExponent };
}

/**
 * Normalises a SHA-256 in any case, with colons or spaces.
 * @returns 64 lower-case hexadecimal digits, or null if it is malformed
 */
export function normalFingerprint(text: string): string | null {
  const digits = text.replace(/[\s:]/g, '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : null;
}
