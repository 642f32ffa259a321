import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Keeps up to where announcements were deleted for their age. */
export async function updatePruned(
  tx: Queryable,
  { ledgerId }: Scope,
  prunedSeq: number,
): Promise<void> {
  await tx.query(sql`
    update announcement_heads set pruned_seq = greatest(pruned_seq, ${prunedSeq}::bigint)
    where ledger_id = ${ledgerId}`);
}
