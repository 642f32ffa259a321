import { type Keyring, type MasterKey, sealUnder } from '../../../platform/keyring/keyring.js';
import { SealError } from '../../../platform/secrets.js';

/** The stored private key cannot be decrypted. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/** Seals a private key; the result is bound to its organisation and fingerprint. */
export function sealPrivateKey(
  under: MasterKey,
  orgId: string,
  fingerprint: string,
  privateKey: Buffer,
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
  fingerprint: string,
  sealed: Buffer,
): Buffer {
  try {
    return keyring.open('signing keys', sealed, `${orgId} ${fingerprint}`);
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
