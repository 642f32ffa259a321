import sql, { raw, type Sql } from 'sql-template-tag';
import {
  float8Array,
  textArray,
  timestampArray,
  uuidArray,
} from '../../../../platform/binary-array.js';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import { decimal } from '../rules/amounts.js';
import type { Oversight } from '../rules/estimator.js';
import { AMOUNT_BINS, type AmountsRow } from '../rules/learn.js';
import type { StatedAmount } from '../rules/risk.js';

/** Decisions by seq, or all in an interval of the chain (`after` exclusive, `until` inclusive). */
export type WhichDecisions =
  | { readonly seqs: readonly number[] }
  | { readonly after: number; readonly until: number };

/** @param seq a column in SQL, such as `e.seq` */
export function isAmong(seq: Sql, which: WhichDecisions): Sql {
  return 'seqs' in which
    ? sql`${seq} = any(${which.seqs}::bigint[])`
    : sql`${seq} > ${which.after} and ${seq} <= ${which.until}`;
}

export async function countEstimates(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from liability_estimates e
    where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)}`);
  return row?.count ?? 0;
}

/** A current or earlier estimate: amounts as decimal text. */
export interface EstimateRow {
  readonly revision: number;
  /** ms. */
  readonly estimated_at: number;
  readonly version: string;
  readonly currency: string;
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
  readonly base_rate: number;
  readonly confidence_factor: number;
  readonly human_factor: number;
  readonly loss_probability: number;
  readonly amount_at_risk: string;
  readonly amount_basis: 'stated' | 'linked' | 'median' | 'matrix';
  readonly severity: number;
  readonly response_cost: string;
  readonly open_share: number;
  readonly realised: string;
  readonly unconverted: number;
}

/** Columns of an estimate `e`. */
const STORED_COLUMNS = raw(`e.ledger_id, e.revision, e.snapshot_id, e.estimated_at,
  e.exposure, e.low, e.high, e.base_rate, e.confidence_factor, e.human_factor, e.loss_probability,
  e.amount_at_risk, e.amount_basis, e.severity, e.open_share, e.realised, e.unconverted`);

/** Columns of an estimate `e` and its snapshot `s`. */
const ESTIMATE_COLUMNS = raw(`e.revision,
  (extract(epoch from e.estimated_at) * 1000)::bigint as estimated_at, s.version, s.currency,
  e.exposure::text as exposure, e.low::text as low, e.high::text as high, e.base_rate,
  e.confidence_factor, e.human_factor, e.loss_probability, e.amount_at_risk::text as amount_at_risk,
  e.amount_basis, e.severity, s.settings::json ->> 'response_cost' as response_cost, e.open_share,
  e.realised::text as realised, e.unconverted`);

/** Figures of an estimate to store. */
export interface Figures {
  /** Cost of a loss × the share of the horizon that is left. */
  readonly stake: number;
  readonly estimate: EstimateRow;
}

/** The columns of `figureArrays`, in the same order. */
const FIGURES = raw(`exposure, low, high, base_rate, confidence_factor, human_factor,
  loss_probability, amount_at_risk, amount_basis, severity, stake, open_share, realised,
  unconverted`);

/** Arrays for unnest: amounts as text, because NUMERIC has no binary encoder here; counts as float8. */
function figureArrays(rows: readonly Figures[]): Sql {
  const numbers = (value: (estimate: EstimateRow) => number) =>
    float8Array(rows, ({ estimate }) => value(estimate));
  const texts = (value: (estimate: EstimateRow) => string) =>
    textArray(rows, ({ estimate }) => value(estimate));
  return sql`
    ${texts(({ exposure }) => exposure)}::text[],
    ${texts(({ low }) => low)}::text[],
    ${texts(({ high }) => high)}::text[],
    ${numbers(({ base_rate }) => base_rate)}::float8[],
    ${numbers(({ confidence_factor }) => confidence_factor)}::float8[],
    ${numbers(({ human_factor }) => human_factor)}::float8[],
    ${numbers(({ loss_probability }) => loss_probability)}::float8[],
    ${texts(({ amount_at_risk }) => amount_at_risk)}::text[],
    ${texts(({ amount_basis }) => amount_basis)}::text[],
    ${numbers(({ severity }) => severity)}::float8[],
    ${textArray(rows, ({ stake }) => decimal(stake))}::text[],
    ${numbers(({ open_share }) => open_share)}::float8[],
    ${texts(({ realised }) => realised)}::text[],
    ${numbers(({ unconverted }) => unconverted)}::float8[]`;
}

/** The first estimate of a decision, with the facts that it depends on. */
export interface NewEstimate extends Figures {
  readonly seq: number;
  /** UUID. */
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
  readonly confidence: number;
  readonly oversight: Oversight;
  readonly stated: StatedAmount | null;
  readonly snapshotId: number;
}

export async function insertEstimates(
  tx: Queryable,
  { ledgerId }: Scope,
  rows: readonly NewEstimate[],
): Promise<void> {
  const { text, values } = sql`
    insert into liability_estimates (ledger_id, seq, decision_id, agent_id, action_type,
      "timestamp", confidence, oversight, stated_amount, stated_currency, revision, snapshot_id,
      estimated_at, exposure, low, high, base_rate, confidence_factor, human_factor,
      loss_probability, amount_at_risk, amount_basis, severity, stake, open_share, realised,
      unconverted)
    select ${ledgerId}, seq::bigint, decision_id, agent_id, action_type, occurred_at, confidence,
      oversight, stated_amount::numeric, stated_currency, 0, snapshot_id::integer, estimated_at,
      exposure::numeric, low::numeric, high::numeric, base_rate, confidence_factor, human_factor,
      loss_probability, amount_at_risk::numeric, amount_basis, severity, stake::numeric,
      open_share, realised::numeric, unconverted::integer
    from unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${uuidArray(rows, ({ decisionId }) => decisionId)}::uuid[],
      ${textArray(rows, ({ agentId }) => agentId)}::text[],
      ${textArray(rows, ({ actionType }) => actionType)}::text[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${float8Array(rows, ({ confidence }) => confidence)}::float8[],
      ${textArray(rows, ({ oversight }) => oversight)}::text[],
      ${textArray(rows, ({ stated }) => stated?.amount ?? null)}::text[],
      ${textArray(rows, ({ stated }) => stated?.currency ?? null)}::text[],
      ${float8Array(rows, ({ snapshotId }) => snapshotId)}::float8[],
      ${timestampArray(rows, ({ estimate }) => estimate.estimated_at)}::timestamptz[],
      ${figureArrays(rows)}
    ) as row (seq, decision_id, agent_id, action_type, occurred_at, confidence, oversight,
      stated_amount, stated_currency, snapshot_id, estimated_at, ${FIGURES})
    on conflict (ledger_id, seq) do nothing`;
  await tx.query({ name: 'insert-estimates', text, values });
}

/** Copies estimates to the history before they are replaced. */
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

/** Counts the amounts at risk that come from outputs or links, in bins. */
export async function selectAmounts(
  db: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<AmountsRow[]> {
  return db.query<AmountsRow>(sql`
    select e.action_type, floor(ln(e.amount_at_risk::float8) * ${AMOUNT_BINS})::integer as bin,
      count(*) as decisions
    from liability_estimates e
    where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)}
      and e.amount_basis in ('stated', 'linked') and e.amount_at_risk > 0
    group by 1, 2`);
}

/**
 * The estimates of a decision, newest first: the current one, then the history.
 * @param before returns only lower revisions; null returns all
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

/** The current estimates of decisions, by seq. */
export async function selectCurrentEstimates(
  db: Queryable,
  { ledgerId }: Scope,
  seqs: readonly number[],
): Promise<(EstimateRow & { readonly seq: number })[]> {
  return db.query(sql`
    select e.seq, ${ESTIMATE_COLUMNS} from liability_estimates e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledgerId} and e.seq = any(${seqs}::bigint[])`);
}

/** An estimate that replaces the current one. */
export interface Reestimate extends Figures {
  readonly seq: number;
}

/** @param at ms, time of all estimates */
export async function updateEstimates(
  tx: Queryable,
  { ledgerId }: Scope,
  snapshotId: number,
  rows: readonly Reestimate[],
  at: number,
): Promise<void> {
  const { text, values } = sql`
    update liability_estimates e set revision = n.revision::integer, snapshot_id = ${snapshotId},
      estimated_at = to_timestamp(${at}::bigint / 1000.0), exposure = n.exposure::numeric,
      low = n.low::numeric, high = n.high::numeric, base_rate = n.base_rate,
      confidence_factor = n.confidence_factor, human_factor = n.human_factor,
      loss_probability = n.loss_probability, amount_at_risk = n.amount_at_risk::numeric,
      amount_basis = n.amount_basis, severity = n.severity, stake = n.stake::numeric,
      open_share = n.open_share, realised = n.realised::numeric,
      unconverted = n.unconverted::integer
    from unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${float8Array(rows, ({ estimate }) => estimate.revision)}::float8[],
      ${figureArrays(rows)}
    ) as n (seq, revision, ${FIGURES})
    where e.ledger_id = ${ledgerId} and e.seq = n.seq::bigint`;
  await tx.query({ name: 'update-estimates', text, values });
}
