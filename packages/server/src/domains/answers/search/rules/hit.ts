import type { SearchHit } from '@decision-ledger/contract/search';
import { formatTimestamp } from '@decision-ledger/contract/time';

/** A stored record that an index returned for a search: it may not match. Times in ms. */
export interface Candidate {
  readonly kind: 'decision' | 'financial_event';
  /** UUID. */
  readonly id: string;
  readonly timestamp: number;
  /** The members of metadata whose value is equal. */
  readonly keys: readonly string[];
  readonly agent_id: string | null;
  readonly action_type: string | null;
  readonly source: string | null;
  readonly event_type: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly external_id: string | null;
  readonly deleted_at: number | null;
}

/** What equals the text of the search, as stored now; empty if nothing does. */
export function matchesOf(
  { id, external_id, keys }: Candidate,
  text: string,
  uuid: string | null,
): SearchHit['matched'] {
  return [
    ...(id === uuid ? (['id'] as const) : []),
    ...(external_id === text ? (['external_id'] as const) : []),
    ...(keys.length > 0 ? (['metadata'] as const) : []),
  ];
}

/** A match as the API returns it. */
export function describeHit(
  candidate: Candidate,
  publicId: string,
  matched: SearchHit['matched'],
): SearchHit {
  const { kind, timestamp, keys, agent_id, action_type, deleted_at } = candidate;
  const { source, event_type, amount, currency, external_id } = candidate;
  return {
    type: kind,
    id: publicId,
    timestamp: formatTimestamp(timestamp),
    matched,
    metadata_keys: [...keys],
    ...(agent_id !== null && { agent_id }),
    ...(action_type !== null && { action_type }),
    ...(source !== null && { source }),
    ...(event_type !== null && { event_type }),
    ...(amount !== null && { amount }),
    ...(currency !== null && { currency }),
    ...(external_id !== null && { external_id }),
    ...(kind === 'financial_event' && {
      deleted_at: deleted_at === null ? null : formatTimestamp(deleted_at),
    }),
  };
}
