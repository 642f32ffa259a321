import type { Verify } from '@decision-ledger/proof/tlog/note';

const ALGORITHM = 'Ed25519';

/** Verifies an Ed25519 signature. Rejects with a NotSupportedError where the browser has none. */
export const verifyEd25519: Verify = async (publicKey, message, signature) => {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', publicKey.slice(), ALGORITHM, false, ['verify']);
  return subtle.verify(ALGORITHM, key, signature.slice(), message.slice());
};

/** Whether an error says that the browser has no Ed25519. */
export function lacksEd25519(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotSupportedError';
}

/** The same where nothing can be said without a signature. A key that is not one has signed nothing. */
export const requireEd25519: Verify = async (publicKey, message, signature) => {
  try {
    return await verifyEd25519(publicKey, message, signature);
  } catch (error) {
    if (!lacksEd25519(error)) return false;
    throw new Error('this browser has no Ed25519 signatures: use a newer one, or the command');
  }
};
