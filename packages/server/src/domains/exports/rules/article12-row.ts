import { formatTimestamp } from '@decision-ledger/contract/time';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Article12Summary, erasedFields, readUse } from './article12.js';
import { csvRow } from './csv.js';
import { commitmentsOf, type PayloadField } from './payload.js';

export const ARTICLE_12_HEADER = csvRow([
  ...['seq', 'decision_id', 'agent_id', 'action_type', 'timestamp', 'created_at'],
  ...['use_start', 'use_end', 'confidence', 'human_in_loop', 'reviewer_id', 'verifiers'],
  ...['reference_database', 'matched_input', 'inputs', 'outputs', 'alternatives', 'metadata'],
  ...['erased_fields', 'hash', 'prev_hash'],
]);

/** One decision as a row: of what is no scalar, whether it is there. */
export function article12Row(row: Article12Summary): string {
  const use = readUse(row);
  const erased = erasedFields(row);
  const commitments = commitmentsOf(row.entry);
  const state = (name: PayloadField) => {
    if (erased.includes(name)) return 'erased';
    return commitments[name] === undefined ? 'absent' : 'recorded';
  };
  return csvRow([
    ...[row.seq, row.decision_id, row.agent_id, row.action_type],
    ...[formatTimestamp(row.timestamp), formatTimestamp(row.created_at)],
    ...[use.start, use.end, row.confidence, row.human_in_loop],
    ...[cellOf(use.reviewer_id), use.verifiers?.map(cellOf).join('; ') ?? null],
    ...[cellOf(use.reference_database), use.matched_input === null ? 'absent' : 'recorded'],
    ...[state('inputs'), state('outputs'), state('alternatives'), state('metadata')],
    ...[erased.join(' '), row.hash, row.prev_hash],
  ]);
}

function cellOf(value: JsonValue): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
