import type { Key } from '@decision-ledger/contract/key';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { listKeys } from '../../keys/index.js';
import { listSigningKeys } from '../../signing-keys/index.js';

const MOST_KEYS = 100_000;

/** keys.json: all signing keys, and with `withNames` the API keys, which are the actors. */
export async function keysText(db: Queryable, scope: Scope, withNames: boolean): Promise<string> {
  const signingKeys = (await listSigningKeys(db, scope)).map(
    ({ fingerprint, public_key, created_at, retired_at }) => ({
      ...{ fingerprint, public_key, created_at, retired_at },
    }),
  );
  const named = withNames ? await listKeys(db, scope, null, MOST_KEYS) : null;
  const keys = {
    signing_keys: signingKeys,
    ...(named !== null && { api_keys: named.map(({ key }) => actorOf(key)) }),
  };
  return `${JSON.stringify(keys, null, 2)}\n`;
}

function actorOf({ key_id, name, permissions, created_at, expires_at, revoked_at }: Key) {
  return { key_id, name, permissions, created_at, expires_at, revoked_at };
}
