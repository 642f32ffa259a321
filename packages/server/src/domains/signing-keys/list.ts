import type { SigningKey } from '@decision-ledger/contract/signing-key';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import type { KeyRow } from './store/key-row.js';
import { selectKeys } from './store/select-keys.js';

export const ALGORITHM = 'RSASSA-PKCS1-v1_5 SHA-256';

/** All keys that an organisation ever signed with, newest first. */
export async function listSigningKeys(
  db: Queryable,
  org: Pick<Scope, 'orgId'>,
): Promise<SigningKey[]> {
  return (await selectKeys(db, org)).map(describeKey);
}

export function describeKey({ fingerprint, public_key, ...times }: KeyRow): SigningKey {
  return {
    ...{ fingerprint, algorithm: ALGORITHM, public_key },
    created_at: formatTimestamp(times.created_at),
    retired_at: times.retired_at === null ? null : formatTimestamp(times.retired_at),
  };
}
