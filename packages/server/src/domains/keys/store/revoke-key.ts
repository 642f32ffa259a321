import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param keyId UUID */
export async function revokeKeyRow(
  tx: Queryable,
  { ledgerId }: Scope,
  keyId: string,
  revokedAt: number,
): Promise<void> {
  await tx.query(sql`
    update api_keys set revoked_at = to_timestamp(${revokedAt}::bigint / 1000.0)
    where ledger_id = ${ledgerId} and key_id = ${keyId} and revoked_at is null`);
}
