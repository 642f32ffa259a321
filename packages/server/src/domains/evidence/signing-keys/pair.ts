import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { sha256Stream } from '@decision-ledger/proof/hash';

const generate = promisify(generateKeyPair);
const MODULUS_BITS = 2048;

/** A new RSA key. `privateKey` is PKCS #8 in DER; it is only used to be sealed. */
export interface SigningPair {
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  readonly privateKey: Buffer;
}

export async function makePair(): Promise<SigningPair> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { fingerprint: fingerprintOf(publicKey), publicKey, privateKey };
}

/** SHA-256 of the SubjectPublicKeyInfo (RFC 5280, 4.1) in DER, hexadecimal. */
function fingerprintOf(pem: string): string {
  const digest = sha256Stream();
  digest.update(createPublicKey(pem).export({ type: 'spki', format: 'der' }));
  return digest.hex();
}
