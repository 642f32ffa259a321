import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Locks how far a ledger's decisions were extracted, and tells it. */
export async function lockState(tx: Queryable, { ledgerId }: Scope): Promise<number> {
  await tx.query(sql`
    insert into attribution_states (ledger_id, features_seq) values (${ledgerId}, 0)
    on conflict (ledger_id) do nothing`);
  const [row] = await tx.query<{ features_seq: number }>(sql`
    select features_seq from attribution_states where ledger_id = ${ledgerId} for update`);
  return row?.features_seq ?? 0;
}
