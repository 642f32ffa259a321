import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param linkId UUID */
export async function updateDeleted(
  tx: Queryable,
  { ledgerId }: Scope,
  linkId: string,
  deletedAt: number,
): Promise<void> {
  await tx.query(sql`
    update links set deleted_at = to_timestamp(${deletedAt}::bigint / 1000.0)
    where ledger_id = ${ledgerId} and link_id = ${linkId}`);
}
