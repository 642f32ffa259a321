import { type Keyring, type MasterKey, sealUnder } from '../../../platform/keyring/keyring.js';
import { SealError } from '../../../platform/secrets.js';

/** The stored private key does not open. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/** Seals the private key of a fingerprint for one organisation. */
export function sealPrivateKey(
  under: MasterKey,
  orgId: string,
  fingerprint: string,
  privateKey: Buffer,
): Buffer {
  return sealUnder(under, 'signing keys', privateKey, `${orgId} ${fingerprint}`);
}

/**
 * Opens a private key for its own organisation and fingerprint alone.
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
      `the signing key ${fingerprint} does not open: it was sealed under another master key or was ` +
        'altered. The operator starts the service with the master key that sealed it ' +
        '(LEDGER_MASTER_KEY), restores it from a backup, or makes a new one with ' +
        '`decision-ledger signing-key rotate`',
      { cause: error },
    );
  }
}
