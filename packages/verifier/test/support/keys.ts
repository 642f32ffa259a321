import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A key only for tests. Its private part is committed, so that bundles can be made again byte for
 * byte.
 */
export interface TestKey {
  readonly privateKey: KeyObject;
  readonly pem: string;
  readonly fingerprint: string;
}

export function testKey(name: 'first' | 'second'): TestKey {
  const file = new URL(`./keys/${name}.pem`, import.meta.url);
  return keyOf(createPrivateKey(readFileSync(file)));
}

export function keyOf(privateKey: KeyObject): TestKey {
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return {
    privateKey,
    pem: String(publicKey.export({ type: 'spki', format: 'pem' })),
    fingerprint: createHash('sha256').update(der).digest('hex'),
  };
}
