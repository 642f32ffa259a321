import { LAG_ENDS, type ScoredCount, SHARE_ENDS } from '@decision-ledger/attribution/stability';
import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/**
 * Scored events by the month in which they were recorded.
 * @param from `2026-04`, the first month; null for all
 * @param to the last one; null for all
 */
export async function selectScoredCounts(
  ledger: LedgerReader,
  from: string | null,
  to: string | null,
): Promise<ScoredCount[]> {
  return ledger.query<ScoredCount>(sql`
    select to_char(audit_month, 'YYYY-MM') as month, shares_identifier,
      width_bucket(lag_hours, ${LAG_ENDS}::float8[]) as lag_bin,
      width_bucket(best_share, ${SHARE_ENDS}::float8[]) as share_bin, count(*) as events
    from event_scores
    where ledger_id = ${ledger.ledgerId} and audit_month is not null and shares_identifier is not null
      and (${from}::text is null or to_char(audit_month, 'YYYY-MM') >= ${from})
      and (${to}::text is null or to_char(audit_month, 'YYYY-MM') <= ${to})
    group by event_scores.audit_month, 2, 3, 4 order by event_scores.audit_month, 2, 3, 4`);
}
