import type { Keyring, MasterKey, Resealed } from '../../../platform/keyring/keyring.js';
import type { Scope } from '../../../platform/principal.js';
import type { Queryable } from '../../../platform/statement.js';
import { openPrivateKey, SigningKeyError, sealPrivateKey } from './private-key.js';
import { selectPrivateKeys, updatePrivateKey } from './store/signing-keys.js';

/** Seals the private keys of an organisation under a master key, including retired ones. */
export async function resealSigningKeys(
  tx: Queryable,
  org: Pick<Scope, 'orgId'>,
  keyring: Keyring,
  under: MasterKey,
): Promise<Resealed> {
  const unreadable: string[] = [];
  let values = 0;
  for (const { fingerprint, private_key } of await selectPrivateKeys(tx, org)) {
    const plain = openOrNull(keyring, org.orgId, fingerprint, private_key);
    if (plain === null) {
      unreadable.push(`the signing key ${fingerprint}`);
      continue;
    }
    const sealed = sealPrivateKey(under, org.orgId, fingerprint, plain);
    plain.fill(0);
    await updatePrivateKey(tx, org, fingerprint, sealed);
    values += 1;
  }
  return { values, unreadable };
}

function openOrNull(
  keyring: Keyring,
  orgId: string,
  fingerprint: string,
  sealed: Buffer,
): Buffer | null {
  try {
    return openPrivateKey(keyring, orgId, fingerprint, sealed);
  } catch (error) {
    if (error instanceof SigningKeyError) return null;
    throw error;
  }
}
