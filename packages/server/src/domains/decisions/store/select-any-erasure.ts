import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Whether the chain of activity tells of any erasure. The type is what its index is on. */
export async function selectAnyErasure(db: Queryable, { ledgerId }: Scope): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from activity
    where ledger_id = ${ledgerId} and type = 'decision.field_erased' limit 1`);
  return rows.length > 0;
}
