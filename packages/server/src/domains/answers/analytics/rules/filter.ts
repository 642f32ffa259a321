import { type Range, readRange } from '@decision-ledger/contract/range';

/** Filter that all analyses accept. */
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

/** @throws LedgerError `validation_error` for an invalid range */
export function readFilter(query: FilterQuery): Filter {
  return {
    ...readRange(query.start, query.end),
    agentId: query.agent_id,
    actionType: query.action_type,
  };
}
