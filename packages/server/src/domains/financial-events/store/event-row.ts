import { raw } from 'sql-template-tag';

/** A stored financial event as the queries of this room read it: times in ms. */
export interface EventRow {
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  /** Decimal text, as it was sent. */
  readonly amount: string;
  readonly currency: string;
  readonly external_id: string | null;
  readonly timestamp: number;
  readonly description: string | null;
  readonly metadata: string | null;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly created_at: number;
  readonly deleted_at: number | null;
}

export const EVENT_COLUMNS = raw(`event_id, source, event_type, amount::text as amount, currency,
  external_id, (extract(epoch from "timestamp") * 1000)::bigint as "timestamp", description,
  metadata, supersedes, superseded_by,
  (extract(epoch from created_at) * 1000)::bigint as created_at,
  (extract(epoch from deleted_at) * 1000)::bigint as deleted_at`);
