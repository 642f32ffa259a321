import { readAmount } from '@decision-ledger/amounts/read-amount';
import { isCurrency } from '@decision-ledger/contract/currency';
import type { SearchHit } from '@decision-ledger/contract/search';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';

/** A stored record that an index returned for a search: it may not match. Times in ms. */
export interface SearchCandidate {
  readonly kind: 'decision' | 'financial_event';
  /** UUID. */
  readonly id: string;
  readonly timestamp: number;
  /** The members of metadata whose value is equal. */
  readonly keys: readonly string[];
  /** Whether its texts have all words of the search. */
  readonly has_words: boolean;
  readonly agent_id: string | null;
  readonly action_type: string | null;
  readonly source: string | null;
  readonly event_type: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly external_id: string | null;
  /** Its beginning. */
  readonly description: string | null;
  readonly deleted_at: number | null;
}

/** What a search is for. */
export interface Wanted {
  readonly text: string;
  /** UUID, if the text is an id. */
  readonly uuid: string | null;
  readonly amounts: readonly SoughtAmount[];
}

/** What equals the text of the search, as stored now; empty if nothing does. */
export function searchMatches(
  { id, external_id, keys, amount, currency, has_words }: SearchCandidate,
  { text, uuid, amounts }: Wanted,
): SearchHit['matched'] {
  const isNamed = amounts.some(
    (sought) =>
      amount !== null &&
      new Big(amount).abs().eq(sought.magnitude) &&
      (sought.currency === null || sought.currency === currency),
  );
  return [
    ...(id === uuid ? (['id'] as const) : []),
    ...(external_id === text ? (['external_id'] as const) : []),
    ...(keys.length > 0 ? (['metadata'] as const) : []),
    ...(isNamed ? (['amount'] as const) : []),
    ...(has_words && external_id !== text ? (['text'] as const) : []),
  ];
}

/** A match as the API returns it. */
export function describeHit(
  candidate: SearchCandidate,
  publicId: string,
  matched: SearchHit['matched'],
): SearchHit {
  const { kind, timestamp, keys, agent_id, action_type, deleted_at } = candidate;
  const { source, event_type, amount, currency, external_id, description } = candidate;
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
    ...(description !== null && { description }),
    ...(kind === 'financial_event' && {
      deleted_at: deleted_at === null ? null : formatTimestamp(deleted_at),
    }),
  };
}

/** An amount that a person may mean. */
export interface SoughtAmount {
  /** Decimal text, without sign. */
  readonly magnitude: string;
  /** Null for any currency. */
  readonly currency: string | null;
}

/** The amounts that a text may name: `1,234.50`, `CHF 99`, `-80 eur`. One with two readings, `1,990`, means both. */
export function amountsIn(text: string): SoughtAmount[] {
  const read = readAmount(text.trim());
  if (read !== null) {
    return [{ magnitude: read.decimal.replace(/^-/, ''), currency: read.currency }];
  }
  return readingsOf(text.trim());
}

const TWO_READINGS = /^(?:([A-Za-z]{3})\s*)?[+−-]?(\d{1,3})[.,](\d{3})(?:\s*([A-Za-z]{3}))?$/u;

function readingsOf(text: string): SoughtAmount[] {
  const [, before, whole = '', part = '', after] = TWO_READINGS.exec(text) ?? [];
  const name = (before ?? after)?.toUpperCase() ?? null;
  if (whole === '' || (name !== null && !isCurrency(name))) return [];
  return [`${whole}${part}`, `${whole}.${part}`].map((magnitude) => ({
    magnitude,
    currency: name,
  }));
}
