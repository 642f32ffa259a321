import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { ESTIMATE_COLUMNS, type EstimateRow } from './estimate-row.js';

/** The estimates that hold, of the decisions at some places in the chain. */
export async function selectStandingEstimates(
  db: Queryable,
  { ledgerId }: Scope,
  seqs: readonly number[],
): Promise<(EstimateRow & { readonly seq: number })[]> {
  return db.query(sql`
    select e.seq, ${ESTIMATE_COLUMNS} from liability_estimates e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledgerId} and e.seq = any(${seqs}::bigint[])`);
}
