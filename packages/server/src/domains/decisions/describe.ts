import type { Decision } from '@decision-ledger/contract/decision';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { parseJson } from '@decision-ledger/proof/gate';
import { uuidToId } from '../../platform/ids.js';
import type { DecisionRow } from './store/decision-row.js';

/** A stored decision as it is answered. A payload field that is not there is left out. */
export function describeDecision(row: DecisionRow): Decision {
  const { seq, agent_id, action_type, confidence, human_in_loop, hash, prev_hash } = row;
  return {
    decision_id: uuidToId('dec', row.decision_id),
    ...{ seq, agent_id, action_type },
    ...payload('inputs', row.inputs),
    ...payload('outputs', row.outputs),
    ...{ confidence, human_in_loop },
    ...payload('alternatives', row.alternatives),
    ...payload('metadata', row.metadata),
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
    ...{ hash, prev_hash },
  };
}

type PayloadName = 'inputs' | 'outputs' | 'alternatives' | 'metadata';

function payload(
  name: PayloadName,
  disclosure: string | null,
): Partial<Pick<Decision, PayloadName>> {
  if (disclosure === null) return {};
  return { [name]: parseJson(parseDisclosure(disclosure, name).value) };
}
