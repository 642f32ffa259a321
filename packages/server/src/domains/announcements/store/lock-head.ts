import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Waits for whoever announces something, and keeps others waiting until the transaction ends. */
export async function lockHead(tx: Queryable, { ledgerId }: Scope): Promise<void> {
  await tx.query(sql`
    select seq from announcement_heads where ledger_id = ${ledgerId} for update`);
}
