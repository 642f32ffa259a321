import type { PnlQuery } from '@decision-ledger/contract/analytics';
import { type Range, readRange } from '@decision-ledger/contract/range';

export interface PnlFilter extends Range {
  readonly agentId: string | undefined;
  readonly actionType: string | undefined;
}

/** @throws LedgerError `validation_error` for a range that is none */
export function readFilter(query: PnlQuery): PnlFilter {
  return {
    ...readRange(query.start, query.end),
    agentId: query.agent_id,
    actionType: query.action_type,
  };
}
