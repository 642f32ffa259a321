import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** The UUIDs of decisions, by their positions in the chain. */
export async function selectDecisionIds(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (seqs.length === 0) return new Map();
  const rows = await ledger.query<{ seq: number; decision_id: string }>(sql`
    select seq, decision_id from decisions
    where ledger_id = ${ledger.ledgerId} and seq = any(${seqs}::bigint[])`);
  return new Map(rows.map(({ seq, decision_id }) => [seq, decision_id]));
}
