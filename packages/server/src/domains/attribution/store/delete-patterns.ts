import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export async function deletePatterns(tx: Queryable, { ledgerId }: Scope): Promise<void> {
  await tx.query(sql`delete from agent_patterns where ledger_id = ${ledgerId}`);
}
