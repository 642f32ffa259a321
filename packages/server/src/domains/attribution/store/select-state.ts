import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** How far a ledger's decisions were extracted, which is also how many. */
export async function selectState(db: Queryable, { ledgerId }: Scope): Promise<number> {
  const [row] = await db.query<{ features_seq: number }>(sql`
    select features_seq from attribution_states where ledger_id = ${ledgerId}`);
  return row?.features_seq ?? 0;
}
