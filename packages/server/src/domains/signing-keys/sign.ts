import { createPrivateKey, sign } from 'node:crypto';
import type { Scope } from '../../platform/scope.js';
import { ensureKey, type SigningKeyTools } from './change.js';
import { keySealer } from './seal.js';

/** Signs in the name of an organisation. The private key stays inside. */
export interface Signer {
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2): 256 bytes. */
  sign(bytes: Uint8Array): Buffer;
}

/**
 * The signer of an organisation; its key is made where there is none.
 * @throws SigningKeyError where the key was sealed under another master key
 */
export async function openSigner(
  tools: SigningKeyTools,
  org: Pick<Scope, 'orgId'>,
  actor: string,
): Promise<Signer> {
  const { fingerprint, public_key, private_key } = await ensureKey(tools, org, actor);
  const key = keySealer(tools.masterKey, org.orgId).open(private_key, fingerprint);
  return {
    fingerprint,
    publicKey: public_key,
    sign: (bytes) => sign('sha256', bytes, createPrivateKey({ key, format: 'der', type: 'pkcs8' })),
  };
}
