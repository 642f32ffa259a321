import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Keeps the estimates that are about to be replaced. */
export async function insertHistory(
  tx: Queryable,
  { ledgerId }: Scope,
  seqs: readonly number[],
): Promise<void> {
  await tx.query(sql`
    insert into liability_history (ledger_id, seq, revision, snapshot_id, estimated_at, exposure,
      low, high, base_rate, confidence_factor, human_factor, loss_probability, amount_at_risk,
      amount_basis, severity, open_share, realised, unconverted)
    select ${ledgerId}, seq, revision, snapshot_id, estimated_at, exposure, low, high, base_rate,
      confidence_factor, human_factor, loss_probability, amount_at_risk, amount_basis, severity,
      open_share, realised, unconverted
    from liability_estimates where ledger_id = ${ledgerId} and seq = any(${seqs}::bigint[])`);
}
