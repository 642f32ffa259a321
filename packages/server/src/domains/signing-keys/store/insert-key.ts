import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { CurrentKeyRow } from './select-current-key.js';

/** Makes a key the one that signs. False where another is. */
export async function insertKey(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  key: Omit<CurrentKeyRow, 'retired_at'>,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into signing_keys (org_id, fingerprint, public_key, private_key, created_at)
    values (${orgId}, ${key.fingerprint}, ${key.public_key}, ${key.private_key},
      to_timestamp(${key.created_at}::bigint / 1000.0))
    on conflict (org_id) where retired_at is null do nothing returning fingerprint`);
  return inserted.length === 1;
}
