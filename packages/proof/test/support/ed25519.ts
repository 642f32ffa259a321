import {
  createPrivateKey,
  createPublicKey,
  sign as nodeSign,
  verify as nodeVerify,
} from 'node:crypto';
import type { Verify } from '@decision-ledger/proof/tlog/note';
import { verifierKey } from '@decision-ledger/proof/tlog/verifier-key';

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export const verify: Verify = (publicKey, message, signature) => {
  const der = Buffer.concat([SPKI, publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return nodeVerify(null, message, key, signature);
};

/** A signer whose private key everybody knows: 32 times the same byte. */
export function signerOf(name: string, seed: number) {
  const bytes = Buffer.concat([PKCS8, Buffer.alloc(32, seed)]);
  const privateKey = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const sign = (message: Uint8Array) => nodeSign(null, message, privateKey);
  return { key: verifierKey(name, spki.subarray(-32)), sign };
}
