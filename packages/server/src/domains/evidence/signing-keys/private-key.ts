import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { sha256Stream } from '@decision-ledger/proof/hash';
import type { Resealed } from '../../../platform/keyring/keyring.js';
import { type Keyring, type MasterKey, sealUnder } from '../../../platform/keyring/keyring.js';
import type { Scope } from '../../../platform/principal.js';
import { SealError } from '../../../platform/secrets.js';
import type { Queryable } from '../../../platform/statement.js';
import { type PrivateKeyRow, selectPrivateKeys, updatePrivateKey } from './store/signing-keys.js';

/** The stored private key cannot be decrypted. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/** Seals a private key; the result is bound to its organisation and fingerprint. */
export function sealPrivateKey(
  under: MasterKey,
  orgId: string,
  { fingerprint, privateKey }: Pick<SigningPair, 'fingerprint' | 'privateKey'>,
): Buffer {
  return sealUnder(under, 'signing keys', privateKey, `${orgId} ${fingerprint}`);
}

/**
 * Decrypts a private key that was sealed for this organisation and fingerprint.
 * @throws SigningKeyError
 */
export function openPrivateKey(
  keyring: Keyring,
  orgId: string,
  { fingerprint, private_key }: PrivateKeyRow,
): Buffer {
  try {
    return keyring.open('signing keys', private_key, `${orgId} ${fingerprint}`);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new SigningKeyError(
      `the signing key ${fingerprint} cannot be decrypted: it was sealed under another master key or ` +
        'was altered. The operator has to start the service with the master key that sealed it ' +
        '(LEDGER_MASTER_KEY), restore it from a backup, or create a new one with ' +
        '`decision-ledger signing-key rotate`',
      { cause: error },
    );
  }
}

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

/** Seals the private keys of an organisation under a master key, including retired ones. */
export async function resealSigningKeys(
  tx: Queryable,
  org: Pick<Scope, 'orgId'>,
  keyring: Keyring,
  under: MasterKey,
): Promise<Resealed> {
  const unreadable: string[] = [];
  let values = 0;
  for (const row of await selectPrivateKeys(tx, org)) {
    const { fingerprint } = row;
    const plain = openOrNull(keyring, org.orgId, row);
    if (plain === null) {
      unreadable.push(`the signing key ${fingerprint}`);
      continue;
    }
    const sealed = sealPrivateKey(under, org.orgId, { fingerprint, privateKey: plain });
    plain.fill(0);
    await updatePrivateKey(tx, org, fingerprint, sealed);
    values += 1;
  }
  return { values, unreadable };
}

function openOrNull(keyring: Keyring, orgId: string, row: PrivateKeyRow): Buffer | null {
  try {
    return openPrivateKey(keyring, orgId, row);
  } catch (error) {
    if (error instanceof SigningKeyError) return null;
    throw error;
  }
}
