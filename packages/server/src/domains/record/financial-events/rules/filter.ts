import type { FinancialEventQuery } from '@decision-ledger/contract/financial-event';
import { type Range, readRange } from '@decision-ledger/contract/time';

export interface EventFilter extends Range {
  readonly source: string | undefined;
  readonly eventType: string | undefined;
  readonly externalId: string | undefined;
  readonly currency: string | undefined;
  readonly includeDeleted: boolean;
}

/** @throws LedgerError `validation_error` for an invalid range */
export function readEventFilter(query: FinancialEventQuery): EventFilter {
  return {
    ...readRange(query.start, query.end),
    source: query.source,
    eventType: query.event_type,
    externalId: query.external_id,
    currency: query.currency,
    includeDeleted: query.include_deleted ?? false,
  };
}
