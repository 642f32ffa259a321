// Generated from the contract by scripts/client-types.js.

export interface SearchQuery {
  /** The whole text to find: an id, an external_id, or a value of metadata. */
  readonly q: string;
  /** The next_cursor of the page before, unchanged, with the same filters. Any other is refused with 400 malformed_request. */
  readonly cursor?: string;
  /** Page size. Default: 50. */
  readonly limit?: number;
}

export interface SearchHit {
  readonly type: 'decision' | 'financial_event';
  readonly id: string;
  /** RFC 3339 date-time. Answers are UTC with milliseconds. */
  readonly timestamp: string;
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

export interface SearchPage {
  readonly results: readonly SearchHit[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}
