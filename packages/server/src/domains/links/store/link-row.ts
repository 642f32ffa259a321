import type { Link } from '@decision-ledger/contract/link';
import { raw } from 'sql-template-tag';

/** A stored link as the queries of this room read it: times in ms. */
export interface LinkRow {
  readonly link_id: string;
  readonly decision_id: string;
  readonly event_id: string;
  readonly correlation_strength: number;
  readonly link_type: Link['link_type'];
  readonly attribution_method: Link['attribution_method'];
  readonly status: Link['status'];
  readonly notes: string | null;
  /** Canonical JSON. */
  readonly score: string | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly reviewed_by: string | null;
  readonly reviewed_at: number | null;
  readonly deleted_at: number | null;
  readonly review_priority: number | null;
}

export const LINK_COLUMNS = raw(`link_id, decision_id, event_id,
  correlation_strength::float8 as correlation_strength, link_type, attribution_method, status,
  notes, score, created_by, (extract(epoch from created_at) * 1000)::bigint as created_at,
  reviewed_by, (extract(epoch from reviewed_at) * 1000)::bigint as reviewed_at,
  (extract(epoch from deleted_at) * 1000)::bigint as deleted_at, review_priority`);
