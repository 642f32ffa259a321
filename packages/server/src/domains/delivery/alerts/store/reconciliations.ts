import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** A comparison of the tables with the activity chain that found differences. */
export interface FailedReconciliation {
  /** ms. */
  readonly finished_at: number;
  readonly activity_seq: number;
  readonly findings: number;
  /** JSON. */
  readonly first_finding: string;
}

/** The last comparison, if it found differences and ended after a time (ms). */
export async function selectFailedReconciliation(
  ledger: LedgerReader,
  after: number,
): Promise<FailedReconciliation | null> {
  const [row] = await ledger.query<FailedReconciliation>(sql`
    select (extract(epoch from finished_at) * 1000)::bigint as finished_at, activity_seq, findings,
      first_finding
    from reconciliations
    where ledger_id = ${ledger.ledgerId} and findings > 0
      and finished_at > to_timestamp(${after}::bigint / 1000.0)`);
  return row ?? null;
}
