import type { Key } from '@decision-ledger/contract/key';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import { everyKey } from '../../../access/keys/index.js';
import { everySigningKey } from '../../signing-keys/index.js';

/** keys.json: all signing keys, and with `withNames` the API keys, which are the actors of the chains. */
export async function keysText(db: Queryable, scope: Scope, withNames: boolean): Promise<string> {
  const signingKeys = (await everySigningKey(db, scope)).map(
    ({ fingerprint, public_key, created_at, retired_at }) => ({
      fingerprint,
      public_key,
      created_at,
      retired_at,
    }),
  );
  const named = withNames ? await everyKey(db, scope) : null;
  const keys = {
    signing_keys: signingKeys,
    ...(named !== null && { api_keys: named.map(actorOf) }),
  };
  return `${JSON.stringify(keys, null, 2)}\n`;
}

function actorOf({ key_id, name, permissions, created_at, expires_at, revoked_at }: Key) {
  return { key_id, name, permissions, created_at, expires_at, revoked_at };
}
