import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Replaces a sealed token by the same one under another key, unless a poll has kept a newer one
 * meanwhile.
 * @param before hexadecimal, as is `after`
 */
export async function updateRefreshToken(
  tx: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
  before: string,
  after: string,
): Promise<void> {
  await tx.query(sql`
    update accounting_connections set refresh_token = decode(${after}, 'hex')
    where ledger_id = ${ledgerId} and connection_id = ${connectionId}
      and refresh_token = decode(${before}, 'hex')`);
}
