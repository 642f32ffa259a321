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

// Read once: to decode a key takes longer than to check a bundle.
const KEYS = { first: readKey('first'), second: readKey('second') };

/** A new object at each call: a bundle tells its current key from former ones by identity. */
export function testKey(name: keyof typeof KEYS): TestKey {
  return { ...KEYS[name] };
}

function readKey(name: string): TestKey {
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
