import type { DecisionToRecord } from '@decision-ledger/client';

export function decision(n = 1): DecisionToRecord {
  return {
    agent_id: 'refund-bot',
    action_type: 'refund',
    inputs: { order: `A-${n}`, n },
    outputs: { approved: true },
    confidence: 0.9,
  };
}
