import type { DecisionQuery } from '@decision-ledger/contract/decision';
import { invalidField } from '@decision-ledger/contract/errors';
import { readRange } from '@decision-ledger/contract/time';
import { filterTexts } from '@decision-ledger/proof/bundle/selection';

/** Filter of GET /decisions; times in ms, `end` is exclusive. */
export interface DecisionFilter {
  readonly agentId: string | undefined;
  readonly actionType: string | undefined;
  readonly humanInLoop: boolean | undefined;
  readonly minConfidence: number | undefined;
  readonly maxConfidence: number | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly metadata: readonly { readonly key: string; readonly texts: readonly string[] }[];
}

const METADATA = 'metadata.';

/** @throws LedgerError `validation_error` naming the query parameter */
export function readDecisionFilter(query: DecisionQuery): DecisionFilter {
  if ((query.min_confidence ?? 0) > (query.max_confidence ?? 1)) {
    throw invalidField('min_confidence', 'must not be above max_confidence');
  }
  const metadata = Object.entries(query)
    .filter(([name]) => name.startsWith(METADATA))
    .map(([name, value]) => ({
      key: name.slice(METADATA.length),
      texts: filterTexts(String(value)),
    }));
  return {
    agentId: query.agent_id,
    actionType: query.action_type,
    humanInLoop: query.human_in_loop,
    minConfidence: query.min_confidence,
    maxConfidence: query.max_confidence,
    ...readRange(query.start, query.end),
    metadata,
  };
}
