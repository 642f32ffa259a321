import { deriveKey, SealError, SecretBox } from '../../platform/secrets.js';

/** The stored private key does not open. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/** Seals the private keys of one organisation, and opens each for its own fingerprint alone. */
export function keySealer(masterKey: Buffer, orgId: string) {
  const box = new SecretBox(deriveKey(masterKey, 'signing keys'));
  const associated = (fingerprint: string) => `${orgId} ${fingerprint}`;
  return {
    seal: (privateKey: Buffer, fingerprint: string): Buffer =>
      box.seal(privateKey, associated(fingerprint)),
    /** @throws SigningKeyError */
    open(sealed: Buffer, fingerprint: string): Buffer {
      try {
        return box.open(sealed, associated(fingerprint));
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        throw new SigningKeyError(
          'the signing key does not open: start the service with the master key that sealed it ' +
            '(LEDGER_MASTER_KEY), or make a new one with `decision-ledger signing-key rotate`',
        );
      }
    },
  };
}
