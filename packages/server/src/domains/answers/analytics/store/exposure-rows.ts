import type { ExposureSums } from '@decision-ledger/contract/analytics-rows';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { instant } from '../../../../platform/instant.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Filter } from '../rules/filter.js';
import { analyticsConditions } from './conditions.js';
import { type EstimateTables, sumSlices } from './sum-slices.js';

/** Position of the last row of the previous page. */
export interface DecisionPosition {
  /** ms. */
  readonly timestamp: number;
  /** UUID. */
  readonly decisionId: string;
}

/** A decision with its estimate: UUID, ms and decimal text. */
export interface EstimatedRow {
  readonly decision_id: string;
  readonly seq: number;
  readonly agent_id: string;
  readonly action_type: string;
  readonly timestamp: number;
  readonly confidence: number;
  readonly is_reviewed: boolean;
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
  readonly realised: string;
  readonly open: string;
  readonly is_denied: boolean;
  readonly unconverted_count: number;
}

/** Which rows: those after a position, at most `limit`. */
export interface ExposurePageRequest {
  readonly after: DecisionPosition | null;
  readonly limit: number;
}

/** Decisions by time, then id, each with its current estimate. */
export async function selectEstimated(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
  { after, limit }: ExposurePageRequest,
): Promise<EstimatedRow[]> {
  const later =
    after === null
      ? empty
      : sql` and (d."timestamp", d.decision_id)
          > (${instant(after.timestamp)}, ${after.decisionId}::uuid)`;
  const rowsOf = (estimates: Sql) => sql`
    select d.decision_id, d.seq, d.agent_id, d.action_type, d."timestamp", d.confidence, e.oversight,
      e.exposure, e.low, e.high, e.realised, e.denied, e.unconverted
    from decisions d
    join ${estimates} e on e.ledger_id = ${ledger.ledgerId} and e.seq = d.seq
    where d.ledger_id = ${ledger.ledgerId} and d.seq <= ${known.as_of_seq}${analyticsConditions('d', filter)}${later}
    order by d."timestamp", d.decision_id limit ${limit}`;
  // Each source by itself: joined with both together, the planner would read all stored estimates.
  const sources = known.sources.map((source) => sql`(${rowsOf(source)})`);
  return ledger.query<EstimatedRow>(sql`
    select decision_id, seq, agent_id, action_type,
      (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", confidence,
      oversight <> 'none' as is_reviewed, exposure::text as exposure, low::text as low,
      high::text as high, realised::text as realised, (exposure - realised)::text as open,
      denied as is_denied, unconverted as unconverted_count
    from (${join(sources, ' union all ')}) as found
    order by found."timestamp", decision_id limit ${limit}`);
}

/** The sums of all these rows, from which the figures of the exposure and of agents are made. */
export async function sumEstimated(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
): Promise<ExposureSums | null> {
  const columns = sql`coalesce(sum(decisions), 0) as rows,
    trim_scale(coalesce(sum(exposure), 0))::text as exposure,
    trim_scale(coalesce(sum(realised), 0))::text as realised,
    trim_scale(coalesce(sum(exposure - realised), 0))::text as open,
    coalesce(sum(confidence), 0)::float8 as confidence, coalesce(sum(overseen), 0) as reviewed,
    coalesce(sum(denied), 0) as denied, coalesce(sum(unconverted), 0) as unconverted`;
  const [sums] = await sumSlices<ExposureSums>(ledger, filter, {
    known,
    columns,
    isDetailed: true,
  });
  return sums ?? null;
}
