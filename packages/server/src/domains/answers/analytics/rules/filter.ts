import { type Range, readRange } from '@decision-ledger/contract/range';

/** What narrows every analysis. */
export interface Filter extends Range {
  readonly agentId: string | undefined;
  readonly actionType: string | undefined;
}

interface FilterQuery {
  readonly start?: string;
  readonly end?: string;
  readonly agent_id?: string;
  readonly action_type?: string;
}

/** @throws LedgerError `validation_error` for a range that is none */
export function readFilter(query: FilterQuery): Filter {
  return {
    ...readRange(query.start, query.end),
    agentId: query.agent_id,
    actionType: query.action_type,
  };
}
