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
import { filterTexts } from '@decision-ledger/proof/bundle/selection';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { Big } from 'big.js';

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

/** What events are searched by. */
export interface EventSearch {
  readonly source: string | undefined;
  /** Decimal text without sign, like the next two. */
  readonly amount: string | undefined;
  readonly minAmount: string | undefined;
  readonly maxAmount: string | undefined;
  /** Words of the description and the reference. */
  readonly text: string | undefined;
  /** JSON texts of the values that a member of metadata may have. */
  readonly values: readonly string[] | undefined;
}

export interface EventFilter extends EventSearch, Range {
  readonly eventType: string | undefined;
  readonly externalId: string | undefined;
  readonly currency: string | undefined;
  readonly includeDeleted: boolean;
  readonly kind: FinancialEventQuery['kind'];
  readonly standing: FinancialEventQuery['standing'];
  readonly isReversalOfUnknown: boolean;
}

/** @throws LedgerError `validation_error` for amounts between which there is none */
export function readEventSearch(query: FinancialEventQuery): EventSearch {
  const { source, amount, min_amount, max_amount, text, metadata_value } = query;
  if (min_amount !== undefined && max_amount !== undefined && new Big(min_amount).gt(max_amount)) {
    throw invalidField('min_amount', 'must not be above max_amount');
  }
  const values = metadata_value === undefined ? undefined : filterTexts(metadata_value);
  return { source, amount, minAmount: min_amount, maxAmount: max_amount, text, values };
}

/** @throws LedgerError `validation_error` for an invalid range */
export function readEventFilter(query: FinancialEventQuery): EventFilter {
  return {
    ...readRange(query.start, query.end),
    ...readEventSearch(query),
    eventType: query.event_type,
    externalId: query.external_id,
    currency: query.currency,
    includeDeleted: query.include_deleted ?? query.standing === 'deleted',
    kind: query.kind,
    standing: query.standing,
    isReversalOfUnknown: query.reverses_unknown ?? false,
  };
}
