import {
  type DriftMetric,
  LAG_ENDS,
  type ScoredCount,
  SHARE_ENDS,
} from '@decision-ledger/attribution/stability';
import sql from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';

export interface NewDrift {
  /** `2026-04`. */
  readonly month: string;
  readonly metric: DriftMetric;
  /** JSON. */
  readonly data: string;
}

/**
 * Keeps the first drift of a month and metric. The caller holds the lock on the state of the ledger.
 * @param at ms
 * @returns false if it was known
 */
export async function insertDrift(
  tx: LedgerWriter,
  { month, metric, data }: NewDrift,
  at: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into attribution_drifts (ledger_id, found, detected_at, month, metric, data)
    select own.ledger_id, coalesce((select max(d.found) from attribution_drifts d
        where d.ledger_id = ${tx.ledgerId}), 0) + 1, to_timestamp(${at}::bigint / 1000.0),
      ${`${month}-01`}::date, ${metric}, ${data}
    from ${ownRow(tx.ledgerId)} as own
    on conflict (ledger_id, month, metric) do nothing returning found`);
  return rows.length > 0;
}

export interface AttributionDriftRow {
  readonly found: number;
  /** JSON. */
  readonly data: string;
}

/** Drifts of a ledger after a number, oldest first. */
export async function selectAttributionDrifts(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<AttributionDriftRow[]> {
  return ledger.query<AttributionDriftRow>(sql`
    select found, data from attribution_drifts
    where ledger_id = ${ledger.ledgerId} and found > ${after} order by found limit ${limit}`);
}

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
