import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Keeps a token in one statement, so that there is no moment at which it could be lost.
 * @param sealed hexadecimal
 * @param keyId of the master key that it is sealed under
 * @returns false where another key seals by now
 */
export async function upsertRefreshToken(
  db: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
  sealed: string,
  keyId: string,
): Promise<boolean> {
  const kept = await db.query(sql`
    with held as (select key_id from master_key where key_id = ${keyId} for share)
    insert into accounting_connections (ledger_id, connection_id, refresh_token)
    select ${ledgerId}, ${connectionId}, decode(${sealed}, 'hex') from held
    on conflict (ledger_id, connection_id) do update set refresh_token = excluded.refresh_token
    returning connection_id`);
  return kept.length === 1;
}
