import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/** The UUIDs of decisions, by their positions in the chain. */
export async function selectDecisionIds(
  db: Queryable,
  { ledgerId }: Scope,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (seqs.length === 0) return new Map();
  const rows = await db.query<{ seq: number; decision_id: string }>(sql`
    select seq, decision_id from decisions
    where ledger_id = ${ledgerId} and seq = any(${seqs}::bigint[])`);
  return new Map(rows.map(({ seq, decision_id }) => [seq, decision_id]));
}
