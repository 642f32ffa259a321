// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Timestamp } from './shared.js';

export interface SearchQuery extends PageQuery {
  /** The text to find: a whole id, external_id or value of metadata; an amount such as CHF 99; or words of the description or external_id of an event. */
  readonly q: string;
}

export interface SearchHit {
  readonly type: 'decision' | 'financial_event';
  readonly id: string;
  readonly timestamp: Timestamp;
  /** What equals the text. amount: the size of the amount, and the currency if the text names one. text: the description and external_id of an event have all its words. */
  readonly matched: readonly ('id' | 'external_id' | 'metadata' | 'amount' | 'text')[];
  /** The members of metadata whose value equals the text. */
  readonly metadata_keys: readonly string[];
  /** Of a decision. */
  readonly agent_id?: string;
  /** Of a decision. */
  readonly action_type?: string;
  readonly source?: string;
  readonly event_type?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly external_id?: string;
  /** Of an event: its first 200 characters. */
  readonly description?: string;
  /** Of an event: null if it is not deleted. */
  readonly deleted_at?: string | null;
}

export interface SearchPage extends Page {
  readonly results: readonly SearchHit[];
}
