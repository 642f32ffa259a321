import type { SigningKey } from '@decision-ledger/contract/signing-key';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { SIGNATURE_ALGORITHM } from '@decision-ledger/proof/bundle/manifest';
import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import type { KeyRow } from './store/key-row.js';
import { selectSigningKeys } from './store/select-signing-keys.js';

/** All keys that an organisation ever signed with, newest first. */
export async function listSigningKeys(
  db: Queryable,
  org: Pick<Scope, 'orgId'>,
): Promise<SigningKey[]> {
  return (await selectSigningKeys(db, org)).map(describeKey);
}

export function describeKey({ fingerprint, public_key, ...times }: KeyRow): SigningKey {
  return {
    ...{ fingerprint, algorithm: SIGNATURE_ALGORITHM, public_key },
    created_at: formatTimestamp(times.created_at),
    retired_at: times.retired_at === null ? null : formatTimestamp(times.retired_at),
  };
}
