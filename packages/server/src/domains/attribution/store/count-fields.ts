import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** How many fields the decisions between two places of the chain have that are compared. */
export async function countFields(
  tx: Queryable,
  { ledgerId }: Scope,
  afterSeq: number,
  untilSeq: number,
): Promise<number> {
  const [row] = await tx.query<{ fields: number }>(sql`
    select coalesce(sum(num_nonnulls(inputs, outputs, metadata)), 0)::bigint as fields
    from decisions where ledger_id = ${ledgerId} and seq > ${afterSeq} and seq <= ${untilSeq}`);
  return row?.fields ?? 0;
}
