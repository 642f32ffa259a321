import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export async function updateState(
  tx: Queryable,
  { ledgerId }: Scope,
  featuresSeq: number,
): Promise<void> {
  await tx.query(sql`
    update attribution_states set features_seq = ${featuresSeq} where ledger_id = ${ledgerId}`);
}
