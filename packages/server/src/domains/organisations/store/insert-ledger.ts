import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export async function insertLedger(
  tx: Queryable,
  { orgId, ledgerId, mode }: Scope,
  createdAt: number,
): Promise<void> {
  await tx.query(sql`
    insert into ledgers (ledger_id, org_id, mode, created_at)
    values (${ledgerId}, ${orgId}, ${mode}, to_timestamp(${createdAt}::bigint / 1000.0))`);
}
