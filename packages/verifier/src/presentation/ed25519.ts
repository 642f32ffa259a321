import type { Verify } from '@decision-ledger/proof/tlog/note';

const ALGORITHM = 'Ed25519';

/** Verifies with the Web Cryptography of the platform: Node.js, or a browser that has Ed25519. */
export const verifyEd25519: Verify = async (publicKey, message, signature) => {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('raw', owned(publicKey), ALGORITHM, false, ['verify']);
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') {
      throw new Error('this browser has no Ed25519 signatures: use a newer one, or the command');
    }
    return false;
  }
  return crypto.subtle.verify(ALGORITHM, key, owned(signature), owned(message));
};

/** The platform takes bytes that no other thread shares. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
