import type { Oversight } from '@decision-ledger/liability/experience';
import { AMOUNT_BINS, type AmountsRow } from '@decision-ledger/liability/learning';
import type { Provenance, Statement } from '@decision-ledger/liability/stated-amounts';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import {
  float8Array,
  textArray,
  timestampArray,
  uuidArray,
} from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import type { Slice } from '../../../../platform/page.js';
import {
  ASSIGNED_FIGURES,
  ESTIMATE_COLUMNS,
  type EstimateRow,
  FIGURES,
  type Figures,
  figureArrays,
  HISTORY_COLUMNS,
  STORED_FIGURES,
} from './estimate-columns.js';

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

/** Facts that a decision states about its risk. */
export interface StatedFacts extends Statement {
  readonly isDenied: boolean;
  readonly variant: string;
  /** The settings that they were read with. */
  readonly reading: number;
}

/** The first estimate of a decision, with the facts that it depends on. */
export interface NewEstimate extends Figures, StatedFacts {
  readonly seq: number;
  /** UUID. */
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
  readonly confidence: number;
  readonly oversight: Oversight;
  readonly snapshotId: number;
}

function factArrays(rows: readonly StatedFacts[]): Sql {
  return sql`
    ${textArray(rows, ({ provenance }) => provenance)}::text[],
    ${textArray(rows, ({ stated }) => stated?.amount ?? null)}::text[],
    ${textArray(rows, ({ stated }) => stated?.currency ?? null)}::text[],
    ${float8Array(rows, ({ isDenied }) => (isDenied ? 1 : 0))}::float8[],
    ${textArray(rows, ({ variant }) => variant)}::text[],
    ${float8Array(rows, ({ reading }) => reading)}::float8[]`;
}

/** All columns, in the order of `firstRows`. */
const COLUMNS = raw(`ledger_id, seq, decision_id, agent_id, action_type, "timestamp", confidence,
  oversight, provenance, stated_amount, stated_currency, denied, variant, reading, revision, snapshot_id,
  estimated_at, ${FIGURES.sql}`);

/** First estimates as rows of the table. @param beside what else is selected from, with the id in it */
function firstRows(ledgerId: Sql, beside: Sql, rows: readonly NewEstimate[]): Sql {
  return sql`
    select ${ledgerId} as ledger_id, seq::bigint, decision_id, agent_id, action_type,
      occurred_at as "timestamp", confidence, oversight, provenance, stated_amount::numeric, stated_currency,
      denied::integer::boolean, variant, reading::integer, 0 as revision, snapshot_id::integer,
      estimated_at, ${STORED_FIGURES}
    from ${beside} unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${uuidArray(rows, ({ decisionId }) => decisionId)}::uuid[],
      ${textArray(rows, ({ agentId }) => agentId)}::text[],
      ${textArray(rows, ({ actionType }) => actionType)}::text[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${float8Array(rows, ({ confidence }) => confidence)}::float8[],
      ${textArray(rows, ({ oversight }) => oversight)}::text[],
      ${factArrays(rows)},
      ${float8Array(rows, ({ snapshotId }) => snapshotId)}::float8[],
      ${timestampArray(rows, ({ estimate }) => estimate.estimated_at)}::timestamptz[],
      ${figureArrays(rows)}
    ) as row (seq, decision_id, agent_id, action_type, occurred_at, confidence, oversight,
      provenance, stated_amount, stated_currency, denied, variant, reading, snapshot_id, estimated_at, ${FIGURES})`;
}

/** Stores first estimates. One that is stored already stays as it is. */
export async function insertEstimates(
  tx: LedgerWriter,
  rows: readonly NewEstimate[],
): Promise<void> {
  if (rows.length === 0) return;
  const { text, values } = insertion(tx.ledgerId, rows);
  await tx.query({ name: 'insert-estimates', text, values });
}

/** The statement of `insertEstimates`, to which RETURNING can be added for rows `e`. */
export function insertion(ledgerId: string, rows: readonly NewEstimate[]): Sql {
  return sql`
    insert into liability_estimates as e (${COLUMNS})
    ${firstRows(sql`own.ledger_id`, sql`${ownRow(ledgerId)} as own,`, rows)}
    on conflict (ledger_id, seq) do nothing`;
}

/**
 * Estimates as tables of a statement: the stored ones, and others, which are not among them.
 * @param unstored may be empty
 */
export function estimateSources(ledgerId: string, unstored: readonly NewEstimate[]): Sql[] {
  if (unstored.length === 0) return [sql`liability_estimates`];
  const stored = sql`select ${COLUMNS} from liability_estimates where ledger_id = ${ledgerId}`;
  return [sql`(${stored})`, sql`(${firstRows(sql`${ledgerId}::uuid`, empty, unstored)})`];
}

/** Which decisions of a part of the chain have a stored estimate. */
export async function selectStoredSeqs(
  ledger: LedgerReader,
  which: WhichDecisions,
): Promise<number[]> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select e.seq from liability_estimates e
    where e.ledger_id = ${ledger.ledgerId} and ${isAmong(sql`e.seq`, which)}`);
  return rows.map(({ seq }) => seq);
}

/** Copies estimates to the history before they are replaced. */
export async function insertHistory(tx: LedgerWriter, seqs: readonly number[]): Promise<void> {
  await tx.query(sql`
    insert into liability_history (ledger_id, seq, ${HISTORY_COLUMNS})
    select ledger_id, seq, ${HISTORY_COLUMNS}
    from liability_estimates where ledger_id = ${tx.ledgerId} and seq = any(${seqs}::bigint[])`);
}

/** Counts the amounts at risk that were approved or come from links, in bins. */
export async function selectAmounts(
  ledger: LedgerReader,
  which: WhichDecisions,
): Promise<AmountsRow[]> {
  return ledger.query<AmountsRow>(sql`
    select e.action_type, floor(ln(e.amount_at_risk::float8) * ${AMOUNT_BINS})::integer as bin,
      count(*) as decisions
    from liability_estimates e
    where e.ledger_id = ${ledger.ledgerId} and ${isAmong(sql`e.seq`, which)}
      and (e.amount_basis in ('approved', 'linked')
        or e.amount_basis = 'claimed' and e.provenance = 'claimed')
      and e.amount_at_risk > 0 and e.own_currency is null
    group by 1, 2`);
}

/** The estimates of a decision by revision, newest first: the current one, then the history. */
export async function selectEstimates(
  ledger: LedgerReader,
  seq: number,
  { after, limit }: Slice<number>,
): Promise<EstimateRow[]> {
  return ledger.query<EstimateRow>(sql`
    select ${ESTIMATE_COLUMNS} from (
      select ${HISTORY_COLUMNS} from liability_estimates
      where ledger_id = ${ledger.ledgerId} and seq = ${seq}
      union all
      select ${HISTORY_COLUMNS} from liability_history
      where ledger_id = ${ledger.ledgerId} and seq = ${seq}
    ) e
    join liability_snapshots s on s.ledger_id = ${ledger.ledgerId} and s.snapshot_id = e.snapshot_id
    where ${after}::integer is null or e.revision < ${after}
    order by e.revision desc limit ${limit}`);
}

/** The current estimates of decisions, by seq. */
export async function selectCurrentEstimates(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<(EstimateRow & { readonly seq: number })[]> {
  return ledger.query(sql`
    select e.seq, ${ESTIMATE_COLUMNS} from liability_estimates e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledger.ledgerId} and e.seq = any(${seqs}::bigint[])`);
}

/** An estimate that replaces the current one. */
export interface Reestimate extends Figures, StatedFacts {
  readonly seq: number;
}

/** @param at ms, time of all estimates */
export async function updateEstimates(
  tx: LedgerWriter,
  snapshotId: number,
  rows: readonly Reestimate[],
  at: number,
): Promise<void> {
  const { text, values } = sql`
    update liability_estimates e set revision = n.revision::integer, snapshot_id = ${snapshotId},
      estimated_at = to_timestamp(${at}::bigint / 1000.0),
      provenance = n.provenance, stated_amount = n.stated_amount::numeric, stated_currency = n.stated_currency,
      denied = n.denied::integer::boolean, variant = n.variant, reading = n.reading::integer,
      ${ASSIGNED_FIGURES}
    from unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${float8Array(rows, ({ estimate }) => estimate.revision)}::float8[],
      ${factArrays(rows)},
      ${figureArrays(rows)}
    ) as n (seq, revision, provenance, stated_amount, stated_currency, denied, variant, reading, ${FIGURES})
    where e.ledger_id = ${tx.ledgerId} and e.seq = n.seq::bigint`;
  await tx.query({ name: 'update-estimates', text, values });
}

/** Puts back the facts that an erasure removed although other fields state them too. */
export async function restoreFacts(
  tx: LedgerWriter,
  {
    seq,
    provenance,
    stated_amount,
    stated_currency,
    denied,
  }: {
    readonly seq: number;
    readonly provenance: Provenance | null;
    readonly stated_amount: string | null;
    readonly stated_currency: string | null;
    readonly denied: boolean;
  },
): Promise<void> {
  await tx.query(sql`
    update liability_estimates set provenance = ${provenance}, stated_amount = ${stated_amount}::numeric,
      stated_currency = ${stated_currency}, denied = ${denied}
    where ledger_id = ${tx.ledgerId} and seq = ${seq}`);
}

/** How many decisions of each agent have a net loss on confirmed links, denied ones included. */
export async function countLost(ledger: LedgerReader): Promise<ReadonlyMap<string, number>> {
  const rows = await ledger.query<{ agent_id: string; losses: number }>(sql`
    select agent_id, count(*) as losses from liability_estimates
    where ledger_id = ${ledger.ledgerId} and realised > 0 group by agent_id`);
  return new Map(rows.map(({ agent_id, losses }) => [agent_id, losses]));
}
