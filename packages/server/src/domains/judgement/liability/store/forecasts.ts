import type { Aggregate } from '@decision-ledger/liability/aggregate';
import type { Pool } from '@decision-ledger/liability/aggregate-plan';
import sql from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { numericText } from '../rules/amounts.js';
import { summedSeq } from './exposure.js';

/** A month (its first day, `2026-04-01`) whose forecast is made in a snapshot's currency. */
export interface ForecastOf {
  readonly month: string;
  readonly snapshotId: number;
  readonly currency: string;
  readonly decisions: number;
}

/** Keeps the first forecast of a month. @param at ms */
export async function insertForecast(
  tx: LedgerWriter,
  { month, snapshotId, currency, decisions }: ForecastOf,
  { expected, low90, high90, var95, es95, basis }: Aggregate,
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into liability_forecasts (ledger_id, month, made_at, snapshot_id, currency, basis,
      decisions, expected, low90, high90, var95, es95)
    values (${tx.ledgerId}, ${month}::date, to_timestamp(${at}::bigint / 1000.0), ${snapshotId},
      ${currency}, ${basis}, ${decisions}, ${numericText(expected)}::numeric,
      ${numericText(low90)}::numeric, ${numericText(high90)}::numeric, ${numericText(var95)}::numeric,
      ${numericText(es95)}::numeric)
    on conflict (ledger_id, month) do nothing`);
}

export async function hasForecast(tx: LedgerReader, month: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 as found from liability_forecasts
    where ledger_id = ${tx.ledgerId} and month = ${month}::date`);
  return rows.length > 0;
}

/** A stored forecast beside the current sums of its month: amounts as decimal text. */
export interface ForecastRow {
  /** `2026-04`. */
  readonly month: string;
  /** ms. */
  readonly made_at: number;
  readonly version: string;
  readonly currency: string;
  readonly basis: 'prior' | 'experience';
  readonly decisions: number;
  readonly expected: string;
  readonly low90: string;
  readonly high90: string;
  readonly var95: string;
  readonly es95: string;
  readonly decisions_now: number;
  readonly realised: string;
}

/**
 * All forecasts of a ledger, oldest first. A decision with links has a stored estimate, so that losses are complete
 * whatever is in the cells.
 */
export async function selectForecasts(ledger: LedgerReader): Promise<ForecastRow[]> {
  return ledger.query<ForecastRow>(sql`
    select to_char(f.month, 'YYYY-MM') as month,
      (extract(epoch from f.made_at) * 1000)::bigint as made_at, s.version, f.currency, f.basis,
      f.decisions, f.expected::text as expected, f.low90::text as low90, f.high90::text as high90,
      f.var95::text as var95, f.es95::text as es95,
      coalesce(n.decisions, 0) as decisions_now, coalesce(n.realised, 0)::text as realised
    from liability_forecasts f
    join liability_snapshots s on s.ledger_id = f.ledger_id and s.snapshot_id = f.snapshot_id
    left join (
      select date_trunc('month', at at time zone 'utc')::date as month,
        sum(decisions) as decisions, sum(realised) as realised
      from (
        select hour as at, decisions, realised from exposure_cells where ledger_id = ${ledger.ledgerId}
        union all
        select d."timestamp", 1, coalesce(e.realised, 0) from decisions d
        left join liability_estimates e on e.ledger_id = ${ledger.ledgerId} and e.seq = d.seq
        where d.ledger_id = ${ledger.ledgerId} and d.seq > ${summedSeq(ledger.ledgerId)}
      ) as slice group by 1
    ) n on n.month = f.month
    where f.ledger_id = ${ledger.ledgerId} order by f.month`);
}

/** Sums over the decisions of a month, for its forecast. */
export async function selectMonthPools(ledger: LedgerReader, month: string): Promise<Pool[]> {
  return ledger.query<Pool>(sql`
    select action_type as "actionType", agent_id as "agentId", variant,
      sum(decisions) as decisions, sum(exposure - realised)::float8 as expected,
      sum(events)::float8 as events, sum(event_squares)::float8 as "eventSquares",
      sum(sizes)::float8 as sizes, sum(stake)::float8 as stake, sum(realised)::float8 as realised
    from exposure_cells
    where ledger_id = ${ledger.ledgerId} and hour >= ${month}::date::timestamp at time zone 'utc'
      and hour < (${month}::date + interval '1 month') at time zone 'utc'
    group by 1, 2, 3`);
}

/** Sums of the test of a version of an agent; the state is JSON. */
export interface DriftStateRow {
  readonly agent_id: string;
  readonly variant: string;
  readonly state: string;
}

export async function selectDriftStates(ledger: LedgerReader): Promise<DriftStateRow[]> {
  return ledger.query<DriftStateRow>(sql`
    select agent_id, variant, state from liability_drift_states where ledger_id = ${ledger.ledgerId}`);
}

export async function upsertDriftStates(
  tx: LedgerWriter,
  rows: readonly DriftStateRow[],
): Promise<void> {
  await tx.query(sql`
    insert into liability_drift_states (ledger_id, agent_id, variant, state)
    select own.ledger_id, n.agent_id, n.variant, n.state
    from ${ownRow(tx.ledgerId)} as own, unnest(${rows.map((row) => row.agent_id)}::text[],
      ${rows.map((row) => row.variant)}::text[],
      ${rows.map((row) => row.state)}::text[]) as n (agent_id, variant, state)
    on conflict (ledger_id, agent_id, variant) do update set state = excluded.state`);
}

/** @param data JSON of each drift. @param at ms */
export async function insertDrifts(
  tx: LedgerWriter,
  data: readonly string[],
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into liability_drifts (ledger_id, found, detected_at, data)
    select own.ledger_id, n.place + coalesce((
      select max(d.found) from liability_drifts d where d.ledger_id = ${tx.ledgerId}), 0),
      to_timestamp(${at}::bigint / 1000.0), n.data
    from ${ownRow(tx.ledgerId)} as own, unnest(${[...data]}::text[]) with ordinality as n (data, place)`);
}

export interface LiabilityDriftRow {
  readonly found: number;
  /** ms. */
  readonly detected_at: number;
  /** JSON. */
  readonly data: string;
}

/** Drifts of a ledger after a number, oldest first. */
export async function selectLiabilityDrifts(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<LiabilityDriftRow[]> {
  return ledger.query<LiabilityDriftRow>(sql`
    select found, (extract(epoch from detected_at) * 1000)::bigint as detected_at, data
    from liability_drifts where ledger_id = ${ledger.ledgerId} and found > ${after}
    order by found limit ${limit}`);
}

/** A decision of a version, to read its name from; null if none is recorded. */
export async function selectVariantSample(
  ledger: LedgerReader,
  agentId: string,
  variant: string,
): Promise<number | null> {
  const [row] = await ledger.query<{ seq: number }>(sql`
    select max(seq) as seq from liability_estimates
    where ledger_id = ${ledger.ledgerId} and agent_id = ${agentId} and variant = ${variant}
    having max(seq) is not null`);
  return row?.seq ?? null;
}
