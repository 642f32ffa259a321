import type { Decision } from '@decision-ledger/contract/decision';
import type { ErasableField } from '@decision-ledger/contract/erasure';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import { uuidToId } from '../../../platform/ids.js';
import type { DecisionViewRow } from './store/decisions.js';

/** A stored decision as the API returns it. Payload fields without a value are omitted. */
export function describeDecision(row: DecisionViewRow): Decision {
  return {
    decision_id: uuidToId('dec', row.decision_id),
    seq: row.seq,
    agent_id: row.agent_id,
    action_type: row.action_type,
    ...payload('inputs', row.inputs),
    ...payload('outputs', row.outputs),
    confidence: row.confidence,
    human_in_loop: row.human_in_loop,
    ...payload('alternatives', row.alternatives),
    ...payload('metadata', row.metadata),
    ...(row.erased.length > 0 && { erased_fields: [...row.erased] }),
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
    hash: row.hash,
    prev_hash: row.prev_hash,
  };
}

function payload(
  name: ErasableField,
  disclosure: string | null,
): Partial<Pick<Decision, ErasableField>> {
  if (disclosure === null) return {};
  return { [name]: disclosedValue(disclosure, name) };
}
