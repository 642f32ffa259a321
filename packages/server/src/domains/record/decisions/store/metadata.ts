import { formatTimestamp } from '@decision-ledger/contract/time';
import sql from 'sql-template-tag';
import {
  boolArray,
  float8Array,
  textArray,
  timestampArray,
} from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { SeqRange } from '../../../../platform/projections/projection.js';
import type { Assignment } from '../rules/metadata.js';

/** What the terms of a decision follow from. */
export interface SearchableRow {
  readonly seq: number;
  readonly agent_id: string;
  readonly action_type: string;
  /** A disclosure; null if it is erased, or was never recorded. */
  readonly metadata: string | null;
}

export async function selectSearchable(
  ledger: LedgerReader,
  { after, until }: SeqRange,
): Promise<SearchableRow[]> {
  return ledger.query<SearchableRow>(sql`
    select seq, agent_id, action_type, metadata from decisions
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
    order by decisions.seq`);
}

export const TERMS = new DerivedRows('decisions', { key: ['seq'], values: ['terms'] });

export async function compareTerms(
  ledger: LedgerReader,
  { after, until }: SeqRange,
  expected: readonly { readonly seq: number; readonly terms: string }[],
): Promise<RowComparison> {
  return TERMS.compare(ledger, TERMS.made(expected), sql`seq > ${after} and seq <= ${until}`);
}

/** An assignment with the place of its decision in the chain and its time in ms. */
export interface NewAssignment extends Assignment {
  readonly seq: number;
  readonly timestamp: number;
}

export async function insertAssignments(
  tx: LedgerWriter,
  rows: readonly NewAssignment[],
): Promise<void> {
  const { text, values } = sql`
    insert into experiment_assignments (ledger_id, seq, experiment_id, arm, propensity, is_valid,
      "timestamp")
    select own.ledger_id, seq::bigint, experiment_id, arm, nullif(propensity, 'NaN'), is_valid, occurred_at
    from ${ownRow(tx.ledgerId)} as own, unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${textArray(rows, ({ experimentId }) => experimentId)}::text[],
      ${textArray(rows, ({ arm }) => arm)}::text[],
      ${float8Array(rows, ({ propensity }) => propensity ?? Number.NaN)}::float8[],
      ${boolArray(rows, ({ isValid }) => isValid)}::boolean[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[]
    ) as row (seq, experiment_id, arm, propensity, is_valid, occurred_at)`;
  await tx.query({ name: 'insert-assignments', text, values });
}

/**
 * Deletes the assignment of a decision whose metadata is erased. The database function refuses any other.
 * @param seq position of the decision in the chain
 */
export async function callForget(tx: LedgerWriter, seq: number): Promise<void> {
  await tx.query(sql`select forget_assignment(${tx.ledgerId}::uuid, ${seq}::bigint)`);
}

/** A decision whose metadata may name an experiment. */
export interface MarkedRow {
  readonly seq: number;
  /** ms. */
  readonly timestamp: number;
  /** A disclosure. */
  readonly metadata: string;
}

export async function selectMarked(
  ledger: LedgerReader,
  { after, until }: SeqRange,
): Promise<MarkedRow[]> {
  return ledger.query<MarkedRow>(sql`
    select seq, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", metadata
    from decisions
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
      and metadata like '%"experiment":%'
    order by decisions.seq`);
}

export const ASSIGNMENTS = new DerivedRows('experiment_assignments', {
  key: ['seq'],
  values: ['experiment_id', 'arm', 'propensity', 'is_valid', 'timestamp'],
});

/** Compares the stored assignments of a part of the chain with those that there should be. */
export async function compareAssignments(
  ledger: LedgerReader,
  { after, until }: SeqRange,
  expected: readonly NewAssignment[],
): Promise<RowComparison> {
  const rows = expected.map(({ seq, experimentId, arm, propensity, isValid, timestamp }) => ({
    ...{ seq, experiment_id: experimentId, arm, propensity, is_valid: isValid },
    timestamp: formatTimestamp(timestamp),
  }));
  const stored = sql`seq > ${after} and seq <= ${until}`;
  return ASSIGNMENTS.compare(ledger, ASSIGNMENTS.made(rows), stored);
}
