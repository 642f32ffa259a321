import type { Decision } from '@decision-ledger/contract/decision';
import type { ErasableField } from '@decision-ledger/contract/erasure';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import { uuidToId } from '../../../platform/ids.js';
import type { DecisionViewRow } from './store/decisions.js';

/** A stored decision as it is answered. A payload field that is not there is left out. */
export function describeDecision(row: DecisionViewRow): Decision {
  const { seq, agent_id, action_type, confidence, human_in_loop, hash, prev_hash } = row;
  return {
    decision_id: uuidToId('dec', row.decision_id),
    ...{ seq, agent_id, action_type },
    ...payload('inputs', row.inputs),
    ...payload('outputs', row.outputs),
    ...{ confidence, human_in_loop },
    ...payload('alternatives', row.alternatives),
    ...payload('metadata', row.metadata),
    ...(row.erased.length > 0 && { erased_fields: [...row.erased] }),
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
    ...{ hash, prev_hash },
  };
}

function payload(
  name: ErasableField,
  disclosure: string | null,
): Partial<Pick<Decision, ErasableField>> {
  if (disclosure === null) return {};
  return { [name]: disclosedValue(disclosure, name) };
}
