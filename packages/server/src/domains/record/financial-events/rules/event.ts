import { currencyProblem } from '@decision-ledger/contract/currency';
import { invalidField } from '@decision-ledger/contract/errors';
import type {
  FinancialEventBody,
  FinancialEventQuery,
} from '@decision-ledger/contract/financial-event';
import { LIMITS } from '@decision-ledger/contract/limits';
import {
  formatTimestamp,
  parseTimestamp,
  type Range,
  readRange,
} from '@decision-ledger/contract/time';
import { canonicalJson } from '@decision-ledger/proof/canonical';

/** A financial event that passed all checks. */
export interface PreparedEvent {
  /** With the timestamp in the format of the API. */
  readonly body: FinancialEventBody;
  /** ms. */
  readonly timestamp: number;
  /** Canonical JSON. */
  readonly metadata: string | null;
}

/** @throws LedgerError `validation_error` naming the field */
export function prepareEvent(body: FinancialEventBody): PreparedEvent {
  const timestamp = parseTimestamp(body.timestamp);
  if (timestamp === null) {
    throw invalidField(
      'timestamp',
      'must be an RFC 3339 date-time such as 2026-04-16T09:30:00.000Z',
    );
  }
  const problem = currencyProblem(body.currency, timestamp);
  if (problem !== null) throw invalidField('currency', problem);
  const metadata = body.metadata === undefined ? null : canonicalJson(body.metadata);
  if (metadata !== null && Buffer.byteLength(metadata) > LIMITS.payloadFieldBytes) {
    throw invalidField(
      'metadata',
      `must be at most ${LIMITS.payloadFieldBytes} bytes as canonical JSON`,
    );
  }
  return { body: { ...body, timestamp: formatTimestamp(timestamp) }, timestamp, metadata };
}

export interface EventFilter extends Range {
  readonly source: string | undefined;
  readonly eventType: string | undefined;
  readonly externalId: string | undefined;
  readonly currency: string | undefined;
  readonly includeDeleted: boolean;
  readonly isUnclassified: boolean;
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
    isUnclassified: query.unclassified ?? false,
  };
}
