import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Place of the last record about erased fields, whether or not it is part of the chain of activity; 0
 * where there is none. The type is what its index is on.
 */
export async function selectLastErasure(db: Queryable, { ledgerId }: Scope): Promise<number> {
  const [row] = await db.query<{ last: number | null }>(sql`
    select max(seq) as last from activity
    where ledger_id = ${ledgerId} and type = 'decision.field_erased'`);
  return row?.last ?? 0;
}
