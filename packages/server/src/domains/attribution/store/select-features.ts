import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns the packed features of the decision at a place of the chain, null where it has none yet */
export async function selectFeatures(
  tx: Queryable,
  { ledgerId }: Scope,
  seq: number,
): Promise<Buffer | null> {
  const [row] = await tx.query<{ features: Buffer }>(sql`
    select features from decision_features where ledger_id = ${ledgerId} and seq = ${seq}`);
  return row?.features ?? null;
}
