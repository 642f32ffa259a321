import type { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { JsonObject } from '@decision-ledger/contract/shared';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { uuidToId } from '../../../platform/ids.js';
import type { EventRow } from './store/financial-events.js';

const checkMetadata = checker(JsonObject, 'metadata');

/** A stored event as the API returns it. */
export function describeEvent(row: EventRow): FinancialEvent {
  return {
    id: uuidToId('evt', row.event_id),
    source: row.source,
    event_type: row.event_type,
    amount: row.amount,
    currency: row.currency,
    ...(row.external_id !== null && { external_id: row.external_id }),
    timestamp: formatTimestamp(row.timestamp),
    ...(row.description !== null && { description: row.description }),
    ...(row.metadata !== null && { metadata: checkMetadata(parseJson(row.metadata)) }),
    ...(row.supersedes !== null && { supersedes: uuidToId('evt', row.supersedes) }),
    ...(row.superseded_by !== null && { superseded_by: uuidToId('evt', row.superseded_by) }),
    created_at: formatTimestamp(row.created_at),
    deleted_at: row.deleted_at === null ? null : formatTimestamp(row.deleted_at),
  };
}
