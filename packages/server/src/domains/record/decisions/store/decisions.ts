import type { ErasableField } from '@decision-ledger/contract/erasure';
import type { ChainPoint } from '@decision-ledger/proof/bundle/manifest';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import {
  boolArray,
  byteaArray,
  float8Array,
  textArray,
  timestampArray,
  uuidArray,
} from '../../../../platform/binary-array.js';
import type { RecordSpan } from '../../../../platform/chain/verify.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { selectPageRows } from '../../../../platform/page.js';
import { instant, type TakeRow } from '../../../../platform/statement.js';
import type { ChainedDecision } from '../rules/chain-group.js';

/** A stored decision with its proof. */
export interface EvidenceRow extends DecisionRow {
  readonly epoch: number;
  readonly entry: string;
}

export interface EvidenceRange {
  /** ms; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Decisions after this place in the chain are excluded. */
  readonly lastSeq: number;
  /** Further conditions, starting with ` and `. */
  readonly only?: Sql;
}

export interface EvidencePosition {
  /** ms. */
  readonly timestamp: number;
  readonly seq: number;
}

/** Decisions of a range by timestamp, then by seq: a page with at least one row. */
export async function selectDecisionEvidence(
  ledger: LedgerReader,
  { start, end, lastSeq, only = empty }: EvidenceRange,
  after: EvidencePosition | null,
  max: { readonly records: number; readonly bytes: number },
): Promise<readonly EvidenceRow[]> {
  const rows = sql`
    select * from decisions
    where ledger_id = ${ledger.ledgerId} and seq <= ${lastSeq} and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}${only}${afterPosition(after)}
    order by decisions."timestamp", decisions.seq`;
  const source = { ...EVIDENCE_PAGE, rows };
  return (await selectPageRows<EvidenceRow>(ledger, source, max.records, max.bytes)).rows;
}

/** The bound on the time alone is what the index scan can start from. */
function afterPosition(after: EvidencePosition | null): Sql {
  if (after === null) return empty;
  const time = instant(after.timestamp);
  return sql` and "timestamp" >= ${time} and ("timestamp", seq) > (${time}, ${after.seq})`;
}

/** A stored decision: bytes in hexadecimal, times in ms. */
export interface DecisionRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly hash: string;
  readonly prev_hash: string;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly alternatives: string | null;
  readonly metadata: string | null;
}

const DECISION_COLUMNS = raw(`seq, decision_id, agent_id, action_type, confidence,
  human_in_loop, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp",
  (extract(epoch from created_at) * 1000)::bigint as created_at,
  encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as prev_hash,
  inputs, outputs, alternatives, metadata`);

/** Bytes of the texts of a row; the length of a stored text is known without reading it. */
const RECORD_BYTES = raw(`octet_length(entry) + coalesce(octet_length(inputs), 0)
  + coalesce(octet_length(outputs), 0) + coalesce(octet_length(alternatives), 0)
  + coalesce(octet_length(metadata), 0)`);

const EVIDENCE_PAGE = {
  table: raw('decisions'),
  columns: raw(`${DECISION_COLUMNS.sql}, epoch, entry`),
  order: raw('"timestamp", seq'),
  bytes: RECORD_BYTES,
};

/** A stored decision with the names of its erased fields. */
export interface DecisionViewRow extends DecisionRow {
  readonly erased: readonly ErasableField[];
}

/**
 * Includes the erased fields: those with a commitment and no value. In an entry the searched text can
 * only be a member name: inside a value its quotes would be escaped.
 */
export const DECISION_VIEW_COLUMNS = raw(`${DECISION_COLUMNS.sql}, array_remove(array[
  case when inputs is null and position('"inputs":"' in entry) > 0 then 'inputs' end,
  case when outputs is null and position('"outputs":"' in entry) > 0 then 'outputs' end,
  case when alternatives is null and position('"alternatives":"' in entry) > 0
    then 'alternatives' end,
  case when metadata is null and position('"metadata":"' in entry) > 0 then 'metadata' end
  ], null) as erased`);

/** @returns seqs of the given decisions (UUIDs) that belong to the ledger */
export async function findSeqs(
  ledger: LedgerReader,
  decisionIds: readonly string[],
): Promise<number[]> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select seq from decisions
    where ledger_id = ${ledger.ledgerId}
      and decision_id = any(${uuidArray(decisionIds, (id) => id)}::uuid[])
    order by seq`);
  return rows.map(({ seq }) => seq);
}

/** Inserts decisions that are contiguous in the chain, starting at `firstSeq`. */
export async function insertDecisions(
  tx: LedgerWriter,
  at: {
    readonly epoch: number;
    readonly firstSeq: number;
    readonly createdAt: number;
    readonly estimateSnapshot: number;
  },
  rows: readonly ChainedDecision[],
): Promise<void> {
  const { text, values } = sql`
    insert into decisions (ledger_id, seq, epoch, decision_id, agent_id, action_type, confidence,
      human_in_loop, "timestamp", created_at, entry, hash, prev_hash, inputs, outputs,
      alternatives, metadata, terms, estimate_snapshot)
    select own.ledger_id, ${at.firstSeq}::bigint + place - 1, ${at.epoch}, decision_id, agent_id,
      action_type, confidence, human_in_loop, occurred_at,
      to_timestamp(${at.createdAt}::bigint / 1000.0), entry, hash, prev_hash, inputs, outputs,
      alternatives, metadata, terms::integer[], ${at.estimateSnapshot}
    from ${ownRow(tx.ledgerId)} as own, unnest(
      ${uuidArray(rows, ({ decision }) => decision.decisionId)}::uuid[],
      ${textArray(rows, ({ decision }) => decision.agentId)}::text[],
      ${textArray(rows, ({ decision }) => decision.actionType)}::text[],
      ${float8Array(rows, ({ decision }) => decision.confidence)}::float8[],
      ${boolArray(rows, ({ decision }) => decision.humanInLoop)}::boolean[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${textArray(rows, ({ entry }) => entry)}::text[],
      ${byteaArray(rows, 32, ({ hash }) => hash)}::bytea[],
      ${byteaArray(rows, 32, ({ prevHash }) => prevHash)}::bytea[],
      ${textArray(rows, ({ decision }) => decision.inputs)}::text[],
      ${textArray(rows, ({ decision }) => decision.outputs)}::text[],
      ${textArray(rows, ({ decision }) => decision.alternatives)}::text[],
      ${textArray(rows, ({ decision }) => decision.metadata)}::text[],
      ${textArray(rows, ({ decision }) => decision.terms)}::text[]
    ) with ordinality as row (decision_id, agent_id, action_type, confidence, human_in_loop,
      occurred_at, entry, hash, prev_hash, inputs, outputs, alternatives, metadata, terms, place)`;
  await tx.query({ name: 'insert-decisions', text, values });
}

/** @param decisionId UUID */
export async function selectDecision(
  ledger: LedgerReader,
  decisionId: string,
): Promise<DecisionViewRow | null> {
  const [row] = await ledger.query<DecisionViewRow>(sql`
    select ${DECISION_VIEW_COLUMNS} from decisions
    where ledger_id = ${ledger.ledgerId} and decision_id = ${decisionId}`);
  return row ?? null;
}

/** A decision with nothing but its time. */
export interface DatedDecision {
  /** UUID. */
  readonly decision_id: string;
  /** ms. */
  readonly timestamp: number;
}

/** @param decisionId UUID */
export async function selectTime(
  ledger: LedgerReader,
  decisionId: string,
): Promise<DatedDecision | null> {
  const [row] = await ledger.query<DatedDecision>(sql`
    select decision_id, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp"
    from decisions where ledger_id = ${ledger.ledgerId} and decision_id = ${decisionId}`);
  return row ?? null;
}

export interface NeighbourRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly hash: string;
}

/** The decisions beside a position of the chain, as far as they exist. */
export async function selectNeighbours(
  ledger: LedgerReader,
  seq: number,
): Promise<readonly NeighbourRow[]> {
  return ledger.query<NeighbourRow>(sql`
    select seq, decision_id, encode(hash, 'hex') as hash from decisions
    where ledger_id = ${ledger.ledgerId} and seq in (${seq - 1}, ${seq + 1})`);
}

export interface EntryRow {
  readonly seq: number;
  /** The text that was hashed. */
  readonly entry: string;
}

/**
 * Entries in the order of the chain.
 * @param only further conditions, starting with ` and `
 */
export async function selectEntries(
  ledger: LedgerReader,
  { first, last, limit }: RecordSpan,
  only: Sql = empty,
): Promise<EntryRow[]> {
  return ledger.query<EntryRow>(sql`
    select seq, entry from decisions
    where ledger_id = ${ledger.ledgerId} and seq between ${first} and ${last}${only}
    order by seq limit ${limit}`);
}

/**
 * The hashes of all other decisions, in hexadecimal, in the order of the chain.
 * @param chosen conditions, starting with ` and `
 */
export async function selectOtherHashes(
  ledger: LedgerReader,
  { first, last, limit }: RecordSpan,
  chosen: Sql,
): Promise<ChainPoint[]> {
  return ledger.query<ChainPoint>(sql`
    select seq, encode(hash, 'hex') as hash from decisions
    where ledger_id = ${ledger.ledgerId} and seq between ${first} and ${last}
      and (true${chosen}) is not true
    order by seq limit ${limit}`);
}

/** A stored decision with everything that verification checks. */
export interface DecisionRecordRow extends DecisionRow {
  readonly epoch: number;
  readonly entry: string;
  readonly terms: string;
}

/**
 * Decisions in the order of the chain: at most `limit` rows and MAX_BYTES bytes, but at least one row.
 * Two scans by seq are faster here than `selectPageRows`, which carries wide rows through a window.
 */
export async function selectDecisionRecords(
  ledger: LedgerReader,
  span: RecordSpan,
): Promise<DecisionRecordRow[]> {
  const columns = raw(`${DECISION_COLUMNS.sql}, epoch, entry, terms::text as terms`);
  const { text, values } = recordPage(ledger, span, columns);
  return ledger.query<DecisionRecordRow>({ name: 'select-records', text, values });
}

/**
 * The same page in the bytes of COPY, in the order in which `WholePage` reads them. In a database whose encoding is not
 * UTF-8 a text may have other bytes than those that were hashed, so the rows have no seq there.
 */
export function copyDecisionRecords(
  ledger: LedgerReader,
  span: RecordSpan,
  take: TakeRow,
): Promise<void> {
  return ledger.copy(recordPage(ledger, span, COPIED_COLUMNS), take);
}

const COPIED_COLUMNS =
  raw(`case when getdatabaseencoding() = 'UTF8' then seq end, epoch, confidence,
  human_in_loop, (extract(epoch from "timestamp") * 1000)::bigint,
  (extract(epoch from created_at) * 1000)::bigint, decision_id::text, prev_hash, action_type, agent_id,
  terms, entry, alternatives, inputs, metadata, outputs, hash`);

function recordPage(ledger: LedgerReader, { first, last, limit }: RecordSpan, columns: Sql): Sql {
  return sql`
    with sized as (
      select seq, sum(${RECORD_BYTES}) over (order by seq) as bytes
      from (
        select * from decisions where ledger_id = ${ledger.ledgerId} and seq between ${first} and ${last}
        order by seq limit ${limit}
      ) page
    )
    select ${columns} from decisions
    where ledger_id = ${ledger.ledgerId} and seq >= ${first} and seq <= (
      select coalesce(max(seq) filter (where bytes <= ${MAX_BYTES}), min(seq)) from sized)
    order by seq`;
}

/** A thousand records of a mebibyte each would exceed the memory of a thread. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The decisions (UUIDs) among those given that lie in a range. */
export async function selectDecisionsInRange(
  ledger: LedgerReader,
  { start, end, lastSeq, only = empty }: EvidenceRange,
  decisionIds: readonly string[],
): Promise<string[]> {
  if (decisionIds.length === 0) return [];
  const rows = await ledger.query<{ decision_id: string }>(sql`
    select decision_id from decisions
    where ledger_id = ${ledger.ledgerId} and decision_id = any(${decisionIds}::uuid[])
      and seq <= ${lastSeq}
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}${only}`);
  return rows.map((row) => row.decision_id);
}
