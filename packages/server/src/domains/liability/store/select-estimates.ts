import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { ESTIMATE_COLUMNS, type EstimateRow, STORED_COLUMNS } from './estimate-row.js';

/**
 * The estimates of a decision, newest first: the one that holds, then those that held.
 * @param before only revisions below; null for all
 */
export async function selectEstimates(
  db: Queryable,
  { ledgerId }: Scope,
  seq: number,
  before: number | null,
  limit: number,
): Promise<EstimateRow[]> {
  return db.query<EstimateRow>(sql`
    select ${ESTIMATE_COLUMNS} from (
      select ${STORED_COLUMNS} from liability_estimates e
      where e.ledger_id = ${ledgerId} and e.seq = ${seq}
      union all
      select ${STORED_COLUMNS} from liability_history e
      where e.ledger_id = ${ledgerId} and e.seq = ${seq}
    ) e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where ${before}::integer is null or e.revision < ${before}
    order by e.revision desc limit ${limit}`);
}
