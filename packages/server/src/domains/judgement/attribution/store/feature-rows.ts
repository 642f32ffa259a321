import { formatTimestamp } from '@decision-ledger/contract/time';
import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { SeqRange } from '../../../../platform/projections/projection.js';
import type { FeatureRow } from './decision-features.js';

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
