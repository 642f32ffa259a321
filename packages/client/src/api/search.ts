// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Timestamp } from './shared.js';

export interface SearchQuery extends PageQuery {
  /** The whole text to find: an id, an external_id, or a value of metadata. */
  readonly q: string;
}

export interface SearchHit {
  readonly type: 'decision' | 'financial_event';
  readonly id: string;
  readonly timestamp: Timestamp;
  /** What equals the text. */
  readonly matched: readonly ('id' | 'external_id' | 'metadata')[];
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
  /** Of an event: null if it is not deleted. */
  readonly deleted_at?: string | null;
}

export interface SearchPage extends Page {
  readonly results: readonly SearchHit[];
}
