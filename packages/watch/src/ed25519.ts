import { createPublicKey, verify } from 'node:crypto';
import type { Verify } from '@decision-ledger/proof/tlog/note';

/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410), without the 32 bytes of the key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const verifyEd25519: Verify = (publicKey, message, signature) => {
  const der = Buffer.concat([SPKI, publicKey]);
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
};
