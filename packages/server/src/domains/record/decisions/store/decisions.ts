import type { ErasableField } from '@decision-ledger/contract/erasure';
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
import type { Queryable } from '../../../../platform/database.js';
import { instant } from '../../../../platform/instant.js';
import type { Scope } from '../../../../platform/scope.js';
import type { ChainedDecision } from '../rules/chain-group.js';

/** A stored decision with all that proves it. */
export interface EvidenceRow extends DecisionRow {
  readonly epoch: number;
  readonly entry: string;
}

export interface EvidenceRange {
  /** ms; the end is excluded. */
  readonly start: number;
  readonly end: number;
  /** Decisions behind this place in the chain are left out. */
  readonly lastSeq: number;
}

export interface EvidencePosition {
  /** ms. */
  readonly timestamp: number;
  readonly seq: number;
}

export interface Most {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Decisions of a range by timestamp, then by seq: as many as have so many bytes together, and at least
 * one. The length of a stored text is known without reading it.
 */
export async function selectEvidence(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, lastSeq }: EvidenceRange,
  after: EvidencePosition | null,
  most: Most,
): Promise<EvidenceRow[]> {
  return db.query<EvidenceRow>(sql`
    with sized as (
      select c.seq as place_seq, row_number() over w as place, sum(c.bytes) over w as bytes
      from (
        select seq, "timestamp", octet_length(entry) + coalesce(octet_length(inputs), 0)
          + coalesce(octet_length(outputs), 0) + coalesce(octet_length(alternatives), 0)
          + coalesce(octet_length(metadata), 0) as bytes
        from decisions
        where ledger_id = ${ledgerId} and seq <= ${lastSeq}
          and "timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}${behind(after)}
        order by decisions."timestamp", decisions.seq limit ${most.records}
      ) as c window w as (order by c."timestamp", c.seq rows unbounded preceding)
    )
    select ${DECISION_COLUMNS}, epoch, entry
    from sized join decisions on ledger_id = ${ledgerId} and seq = place_seq
    where place = 1 or bytes <= ${most.bytes}
    order by decisions."timestamp", decisions.seq`);
}

/** The bound on the time alone is what the index can be entered by. */
function behind(after: EvidencePosition | null): Sql {
  if (after === null) return empty;
  const time = instant(after.timestamp);
  return sql` and "timestamp" >= ${time} and ("timestamp", seq) > (${time}, ${after.seq})`;
}

/** A stored decision as the queries of this room read it: bytes in hexadecimal, times in ms. */
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

/** A stored decision as it is answered. */
export interface DecisionViewRow extends DecisionRow {
  readonly erased: readonly ErasableField[];
}

/**
 * With the fields that were erased: they have a commitment and no value. Only as the name of a member
 * can such a text stand in an entry: within a value its quotes would be escaped.
 */
export const DECISION_VIEW_COLUMNS = raw(`${DECISION_COLUMNS.sql}, array_remove(array[
  case when inputs is null and position('"inputs":"' in entry) > 0 then 'inputs' end,
  case when outputs is null and position('"outputs":"' in entry) > 0 then 'outputs' end,
  case when alternatives is null and position('"alternatives":"' in entry) > 0
    then 'alternatives' end,
  case when metadata is null and position('"metadata":"' in entry) > 0 then 'metadata' end
  ], null) as erased`);

/** @returns the places of those of the given decisions (UUIDs) that the ledger holds */
export async function findSeqs(
  db: Queryable,
  { ledgerId }: Scope,
  decisionIds: readonly string[],
): Promise<number[]> {
  const rows = await db.query<{ seq: number }>(sql`
    select seq from decisions
    where ledger_id = ${ledgerId}
      and decision_id = any(${uuidArray(decisionIds, (id) => id)}::uuid[])
    order by seq`);
  return rows.map(({ seq }) => seq);
}

/** Inserts decisions that follow one another in the chain, `firstSeq` the first of them. */
export async function insertDecisions(
  tx: Queryable,
  { ledgerId }: Scope,
  at: { readonly epoch: number; readonly firstSeq: number; readonly createdAt: number },
  rows: readonly ChainedDecision[],
): Promise<void> {
  const { text, values } = sql`
    insert into decisions (ledger_id, seq, epoch, decision_id, agent_id, action_type, confidence,
      human_in_loop, "timestamp", created_at, entry, hash, prev_hash, inputs, outputs,
      alternatives, metadata, terms)
    select ${ledgerId}, ${at.firstSeq}::bigint + place - 1, ${at.epoch}, decision_id, agent_id,
      action_type, confidence, human_in_loop, occurred_at,
      to_timestamp(${at.createdAt}::bigint / 1000.0), entry, hash, prev_hash, inputs, outputs,
      alternatives, metadata, terms::integer[]
    from unnest(
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
  db: Queryable,
  { ledgerId }: Scope,
  decisionId: string,
): Promise<DecisionViewRow | null> {
  const [row] = await db.query<DecisionViewRow>(sql`
    select ${DECISION_VIEW_COLUMNS} from decisions
    where ledger_id = ${ledgerId} and decision_id = ${decisionId}`);
  return row ?? null;
}

export interface EntryRow {
  readonly seq: number;
  /** The text that was hashed. */
  readonly entry: string;
}

/** Entries in the order of the chain. */
export async function selectEntries(
  db: Queryable,
  { ledgerId }: Scope,
  { first, last, limit }: RecordSpan,
): Promise<EntryRow[]> {
  return db.query<EntryRow>(sql`
    select seq, entry from decisions
    where ledger_id = ${ledgerId} and seq between ${first} and ${last}
    order by seq limit ${limit}`);
}

/** A stored decision with everything the verification looks at. */
export interface DecisionRecordRow extends DecisionRow {
  readonly epoch: number;
  readonly entry: string;
  readonly terms: string;
}

/**
 * Decisions in the order of the chain: at most so many, and so many bytes, and at least one. The
 * length of a stored text is known without reading it.
 */
export async function selectRecords(
  db: Queryable,
  { ledgerId }: Scope,
  { first, last, limit }: RecordSpan,
): Promise<DecisionRecordRow[]> {
  const { text, values } = sql`
    with sized as (
      select seq, sum(octet_length(entry) + coalesce(octet_length(inputs), 0)
        + coalesce(octet_length(outputs), 0) + coalesce(octet_length(alternatives), 0)
        + coalesce(octet_length(metadata), 0)) over (order by seq) as bytes
      from (
        select * from decisions where ledger_id = ${ledgerId} and seq between ${first} and ${last}
        order by seq limit ${limit}
      ) page
    )
    select ${DECISION_COLUMNS}, epoch, entry, terms::text as terms from decisions
    where ledger_id = ${ledgerId} and seq >= ${first} and seq <= (
      select coalesce(max(seq) filter (where bytes <= ${MAX_BYTES}), min(seq)) from sized)
    order by seq`;
  return db.query<DecisionRecordRow>({ name: 'select-records', text, values });
}

/** A thousand records of a mebibyte each would be more than a thread can hold. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Those of some decisions (UUIDs) that lie in a range. */
export async function whichInRange(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end, lastSeq }: EvidenceRange,
  decisionIds: readonly string[],
): Promise<string[]> {
  if (decisionIds.length === 0) return [];
  const rows = await db.query<{ decision_id: string }>(sql`
    select decision_id from decisions
    where ledger_id = ${ledgerId} and decision_id = any(${decisionIds}::uuid[])
      and seq <= ${lastSeq}
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}`);
  return rows.map((row) => row.decision_id);
}
