import { formatTimestamp } from '@decision-ledger/contract/time';
import sql, { raw, type Sql } from 'sql-template-tag';
import {
  boolArray,
  bytesArray,
  textArray,
  timestampArray,
  uuidArray,
} from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { SeqRange } from '../../../../platform/projections/projection.js';

/** The follower of the decisions that keeps them comparable. */
export const FEATURES = 'features';

/** Counts the comparable fields of the decisions between two positions of the chain. */
export async function countFields(
  ledger: LedgerReader,
  afterSeq: number,
  untilSeq: number,
): Promise<number> {
  const [row] = await ledger.query<{ fields: number }>(sql`
    select coalesce(sum(num_nonnulls(inputs, outputs, metadata, alternatives)), 0)::bigint as fields
    from decisions where ledger_id = ${ledger.ledgerId} and seq > ${afterSeq} and seq <= ${untilSeq}`);
  return row?.fields ?? 0;
}

export interface FeatureRow {
  readonly seq: number;
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
  readonly saysItFailed: boolean;
  /** Tokens of identifiers. */
  readonly ids: readonly number[];
  /** Tokens of other values that select candidates, and of sums of money. */
  readonly tokens: readonly number[];
  /** Packed. */
  readonly features: Buffer;
}

export async function insertFeatures(tx: LedgerWriter, rows: readonly FeatureRow[]): Promise<void> {
  const { text, values } = sql`
    insert into decision_features (ledger_id, seq, decision_id, agent_id, action_type, "timestamp",
      says_it_failed, tokens, features)
    select own.ledger_id, seq::bigint, decision_id, agent_id, action_type, occurred_at, failed,
      tokens::integer[], features
    from ${ownRow(tx.ledgerId)} as own, unnest(
      ${textArray(rows, ({ seq }) => String(seq))}::text[],
      ${uuidArray(rows, ({ decisionId }) => decisionId)}::uuid[],
      ${textArray(rows, ({ agentId }) => agentId)}::text[],
      ${textArray(rows, ({ actionType }) => actionType)}::text[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${boolArray(rows, ({ saysItFailed }) => saysItFailed)}::boolean[],
      ${textArray(rows, ({ tokens }) => `{${tokens.join()}}`)}::text[],
      ${bytesArray(rows, ({ features }) => features)}::bytea[]
    ) as row (seq, decision_id, agent_id, action_type, occurred_at, failed, tokens, features)`;
  await tx.query({ name: 'insert-features', text, values });
}

/** @returns the positions of the decisions that have another outcome than before */
export async function updateOutcomes(
  tx: LedgerWriter,
  rows: readonly Pick<FeatureRow, 'seq' | 'saysItFailed'>[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const changed = await tx.query<{ seq: number }>(sql`
    update decision_features f set says_it_failed = n.failed
    from unnest(
      ${rows.map(({ seq }) => String(seq))}::bigint[],
      ${boolArray(rows, ({ saysItFailed }) => saysItFailed)}::boolean[]
    ) as n (seq, failed)
    where f.ledger_id = ${tx.ledgerId} and f.seq = n.seq and f.says_it_failed <> n.failed
    returning f.seq`);
  return changed.map(({ seq }) => seq);
}

/** @returns the packed features of the decision at a position of the chain; null before extraction */
export async function selectFeatures(ledger: LedgerReader, seq: number): Promise<Buffer | null> {
  const [row] = await ledger.query<{ features: Buffer }>(sql`
    select features from decision_features where ledger_id = ${ledger.ledgerId} and seq = ${seq}`);
  return row?.features ?? null;
}

/** The comparable fields of a decision. Payload columns are disclosures; null if too large. */
export interface DecisionFieldsRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  /** ms. */
  readonly timestamp: number;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly metadata: string | null;
  readonly alternatives: string | null;
  /** How many of these four exist, with those that are too large. */
  readonly fields: number;
}

/** A longer payload field is not compared. */
const MAX_FIELD_CHARS = 65_536;

/** Decisions between two positions of the chain, in order: as many as fit into a page. */
export async function selectDecisionFields(
  ledger: LedgerReader,
  afterSeq: number,
  untilSeq: number,
): Promise<PageRows<DecisionFieldsRow>> {
  const rows = sql`
    select * from decisions
    where ledger_id = ${ledger.ledgerId} and seq > ${afterSeq} and seq <= ${untilSeq}
    order by decisions.seq`;
  return selectPageRows<DecisionFieldsRow>(ledger, { ...PAGE, rows }, untilSeq - afterSeq);
}

const PAGE = {
  table: raw('decisions'),
  columns: sql`seq, decision_id, agent_id, action_type,
    (extract(epoch from "timestamp") * 1000)::bigint as "timestamp",
    case when length(inputs) <= ${MAX_FIELD_CHARS} then inputs end as inputs,
    case when length(outputs) <= ${MAX_FIELD_CHARS} then outputs end as outputs,
    case when length(metadata) <= ${MAX_FIELD_CHARS} then metadata end as metadata,
    case when length(alternatives) <= ${MAX_FIELD_CHARS} then alternatives end as alternatives,
    num_nonnulls(inputs, outputs, metadata, alternatives) as fields`,
  order: raw('seq'),
  bytes: raw(`coalesce(octet_length(inputs), 0) + coalesce(octet_length(outputs), 0)
    + coalesce(octet_length(metadata), 0) + coalesce(octet_length(alternatives), 0)`),
};

/** The position of a decision (UUID) in the chain. */
export async function selectSeq(ledger: LedgerReader, decisionId: string): Promise<number | null> {
  const [row] = await ledger.query<{ seq: number }>(sql`
    select seq from decisions where ledger_id = ${ledger.ledgerId} and decision_id = ${decisionId}`);
  return row?.seq ?? null;
}

export const FEATURE_ROWS = new DerivedRows('decision_features', {
  key: ['seq'],
  values: [
    ...['decision_id', 'agent_id', 'action_type', 'timestamp', 'says_it_failed', 'tokens'],
    'features',
  ],
});

/** Compares the stored features of a part of the chain with those that follow from its decisions. */
export async function compareFeatures(
  ledger: LedgerReader,
  { after, until }: SeqRange,
  expected: readonly FeatureRow[],
): Promise<RowComparison> {
  const rows = expected.map((row) => ({
    ...{ seq: row.seq, decision_id: row.decisionId, agent_id: row.agentId },
    ...{ action_type: row.actionType, timestamp: formatTimestamp(row.timestamp) },
    ...{ says_it_failed: row.saysItFailed, tokens: row.tokens },
    features: `\\x${row.features.toString('hex')}`,
  }));
  const stored = sql`seq > ${after} and seq <= ${until}`;
  return FEATURE_ROWS.compare(ledger, FEATURE_ROWS.made(rows), stored);
}

/** The features of a decision, as they are stored. */
export interface PackedRow {
  readonly seq: number;
  /** UUID. */
  readonly decision_id: string;
  /** ms. */
  readonly timestamp: number;
  readonly features: Buffer;
}

export const selectPacked = (ledger: LedgerReader, { after, until }: SeqRange) =>
  selectPackedWhere(ledger, sql`seq > ${after} and seq <= ${until}`);

/** @param seqs places of decisions */
export const selectPackedOf = (ledger: LedgerReader, seqs: readonly number[]) =>
  selectPackedWhere(ledger, sql`seq = any(${seqs}::bigint[])`);

async function selectPackedWhere(ledger: LedgerReader, condition: Sql): Promise<PackedRow[]> {
  return ledger.query<PackedRow>(sql`
    select seq, decision_id, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", features
    from decision_features where ledger_id = ${ledger.ledgerId} and ${condition} order by seq`);
}

/** The decisions (UUIDs) of a part of the chain whose features are stored. */
export async function selectExtracted(
  ledger: LedgerReader,
  { after, until }: SeqRange,
): Promise<{ readonly seq: number; readonly decision_id: string }[]> {
  return ledger.query(sql`
    select seq, decision_id from decision_features
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
    order by decision_features.seq`);
}
