import type { Bucket } from '@decision-ledger/contract/analytics';
import type { ExposureSums } from '@decision-ledger/contract/analytics-rows';
import { formatTimestamp } from '@decision-ledger/contract/time';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Place, Slice } from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import type { DayRow, PoolRow, TopRow, VariantRow } from '../rules/exposure.js';
import type { Filter } from '../rules/filter.js';
import type { RowDecisions } from '../rules/rows.js';
import { analyticsConditions } from './conditions.js';
import { type EstimateTables, estimatesTable, sumSlices } from './sum-slices.js';

/** The exposure after the nightly runs of the days that overlap a range. */
export async function selectExposureDays(
  ledger: LedgerReader,
  { start, end, agentId, actionType }: Filter,
): Promise<DayRow[]> {
  const from = start === undefined ? empty : sql` and day >= ${dayOf(start)}::date`;
  const until = end === undefined ? empty : sql` and day <= ${dayOf(end - 1)}::date`;
  const agent = agentId === undefined ? empty : sql` and agent_id = ${agentId}`;
  const type = actionType === undefined ? empty : sql` and action_type = ${actionType}`;
  return ledger.query<DayRow>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, currency, sum(decisions) as decisions,
      sum(exposure)::text as exposure, sum(realised)::text as realised
    from exposure_days where ledger_id = ${ledger.ledgerId}${from}${until}${agent}${type}
    group by exposure_days.day, currency order by exposure_days.day`);
}

/** The day (UTC) of a time (ms). */
function dayOf(ms: number): string {
  return formatTimestamp(ms).slice(0, 10);
}

/** The decisions that may still cost most. */
export async function selectTopDecisions(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
  limit: number,
): Promise<TopRow[]> {
  return ledger.query<TopRow>(sql`
    select e.decision_id, e.agent_id, e.action_type,
      (extract(epoch from e."timestamp") * 1000)::bigint as "timestamp",
      e.exposure::text as exposure, e.low::text as low, e.high::text as high,
      e.realised::text as realised, e.loss_p50::text as loss_p50, e.loss_p95::text as loss_p95
    from ${estimatesTable(known)} e
    where e.ledger_id = ${ledger.ledgerId} and e.seq <= ${known.as_of_seq}${analyticsConditions('e', filter)}
    order by e.exposure - e.realised desc, e.seq desc limit ${limit}`);
}

/** Sums over decisions: one row for each bucket and, if `by` is given, each agent or action type. */
export async function sumDecided(
  ledger: LedgerReader,
  filter: Filter,
  bucket: Bucket,
  by: 'agent_id' | 'action_type' | null,
  { known, limit }: { readonly known: EstimateTables; readonly limit: number },
): Promise<RowDecisions[]> {
  const key = by === null ? sql`null::text` : raw(by);
  const columns = sql`
    (extract(epoch from date_trunc(${bucket}, at)) * 1000)::bigint as start, ${key} as key,
    sum(decisions) as decisions, sum(confidence)::float8 as confidence, sum(overseen) as overseen,
    sum(exposure)::text as exposure`;
  const rest = sql`group by 1, 2 limit ${limit}`;
  return sumSlices<RowDecisions>(ledger, filter, { known, columns, rest });
}

export interface ExposureSum {
  readonly decisions: number;
  /** Decimal text. */
  readonly exposure: string;
  readonly realised: string;
  readonly unconverted: number;
}

/** What decisions could cost; the filter applies to their timestamp. */
export async function sumExposure(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
): Promise<ExposureSum> {
  const columns = sql`coalesce(sum(decisions), 0) as decisions,
    coalesce(sum(exposure), 0)::text as exposure, coalesce(sum(realised), 0)::text as realised,
    coalesce(sum(unconverted), 0) as unconverted`;
  const [row] = await sumSlices<ExposureSum>(ledger, filter, { known, columns });
  return row ?? { decisions: 0, exposure: '0', realised: '0', unconverted: 0 };
}

const POOL_SUMS = raw(`sum(decisions) as decisions, sum(exposure)::text as exposure,
  sum(realised)::text as realised, sum(stake)::text as stake, sum(events)::float8 as events,
  sum(event_squares)::float8 as event_squares, sum(sizes)::text as sizes`);

/** Sums over the decisions of each action type, those that may still cost most first. */
export async function sumPools(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
): Promise<PoolRow[]> {
  const columns = sql`action_type, ${POOL_SUMS}, sum(unconverted) as unconverted,
    sum(denied) as denied`;
  const rest = sql`group by action_type
    order by sum(exposure) - sum(realised) desc, action_type`;
  return sumSlices<PoolRow>(ledger, filter, { known, columns, rest, isDetailed: true });
}

/** Sums over the decisions of the versions of agents that may still cost most. */
export async function sumVariants(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
  limit: number,
): Promise<VariantRow[]> {
  const columns = sql`action_type, agent_id, variant, ${POOL_SUMS}`;
  const rest = sql`group by action_type, agent_id, variant
    order by sum(exposure) - sum(realised) desc, action_type, agent_id, variant limit ${limit}`;
  return sumSlices<VariantRow>(ledger, filter, { known, columns, rest, isDetailed: true });
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

/** Decisions by time, then id, each with its current estimate. */
export async function selectEstimated(
  ledger: LedgerReader,
  filter: Filter,
  known: EstimateTables,
  { after, limit }: Slice<Place>,
): Promise<EstimatedRow[]> {
  const later =
    after === null
      ? empty
      : sql` and (d."timestamp", d.decision_id)
          > (${instant(after.at)}, ${after.id}::uuid)`;
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
