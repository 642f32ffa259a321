import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { KeyRow } from './key-row.js';

/** @param keyHash SHA-256 of the key, hexadecimal */
export async function insertKey(
  tx: Queryable,
  { ledgerId }: Scope,
  key: Omit<KeyRow, 'revoked_at'>,
  keyHash: string,
): Promise<void> {
  await tx.query(sql`
    insert into api_keys (ledger_id, key_id, name, permissions, key_hash, created_at, expires_at)
    values (${ledgerId}, ${key.key_id}, ${key.name}, ${key.permissions}::text[],
      decode(${keyHash}, 'hex'), to_timestamp(${key.created_at}::bigint / 1000.0),
      to_timestamp(${key.expires_at}::bigint / 1000.0))`);
}
