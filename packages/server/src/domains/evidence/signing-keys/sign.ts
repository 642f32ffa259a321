import { createPrivateKey, sign } from 'node:crypto';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Scope } from '../../../platform/principal.js';
import type { Queryable } from '../../../platform/statement.js';
import { ensureKey, type SigningKeyTools } from './change.js';
import { openPrivateKey } from './private-key.js';
import { selectCurrentSigningKey } from './store/signing-keys.js';

/** Signs for an organisation without exposing its private key. */
export interface Signer {
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2): 256 bytes. */
  sign(bytes: Uint8Array): Buffer;
}

/**
 * The signer of an organisation; creates its key if there is none.
 * @throws SigningKeyError if the key cannot be decrypted
 */
export async function openSigner(
  tools: SigningKeyTools,
  org: Pick<Scope, 'orgId'>,
  actor: string,
): Promise<Signer> {
  const { fingerprint, public_key, private_key } = await ensureKey(tools, org, actor);
  const key = openPrivateKey(tools.keyring, org.orgId, fingerprint, private_key);
  return {
    fingerprint,
    publicKey: public_key,
    sign: (bytes) => sign('sha256', bytes, createPrivateKey({ key, format: 'der', type: 'pkcs8' })),
  };
}

/**
 * Checks that the key of an organisation can be decrypted. A missing key passes: it is created later.
 * @throws SigningKeyError
 */
export async function requireSigner(
  db: Queryable,
  keyring: Keyring,
  org: Pick<Scope, 'orgId'>,
): Promise<void> {
  const current = await selectCurrentSigningKey(db, org);
  if (current === null) return;
  openPrivateKey(keyring, org.orgId, current.fingerprint, current.private_key).fill(0);
}
