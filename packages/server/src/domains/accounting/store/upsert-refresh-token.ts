import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param sealed hexadecimal */
export async function upsertRefreshToken(
  tx: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
  sealed: string,
): Promise<void> {
  await tx.query(sql`
    insert into accounting_connections (ledger_id, connection_id, refresh_token)
    values (${ledgerId}, ${connectionId}, decode(${sealed}, 'hex'))
    on conflict (ledger_id, connection_id) do update set refresh_token = excluded.refresh_token`);
}
