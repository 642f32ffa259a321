import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns the place of the last decision that is recorded, 0 where there is none */
export async function selectHeadSeq(db: Queryable, { ledgerId }: Scope): Promise<number> {
  const [head] = await db.query<{ seq: number }>(sql`
    select seq from chain_heads where ledger_id = ${ledgerId} and chain = 'decisions'`);
  return head?.seq ?? 0;
}
