import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { ReviewedRow } from './select-reviewed.js';

export interface ReviewRow extends ReviewedRow {
  /** UUID. */
  readonly reviewId: string;
  /** UUID. */
  readonly linkId: string;
  readonly verdict: 'confirmed' | 'rejected' | 'withdrawn';
  /** ms. */
  readonly createdAt: number;
}

export async function insertReview(
  tx: Queryable,
  { ledgerId }: Scope,
  row: ReviewRow,
): Promise<void> {
  await tx.query(sql`
    insert into link_reviews (ledger_id, review_id, link_id, verdict, agent_id, action_type,
      event_type, currency, magnitude, lag_hours, raw_logit, created_at)
    values (${ledgerId}, ${row.reviewId}, ${row.linkId}, ${row.verdict}, ${row.agent_id},
      ${row.action_type}, ${row.event_type}, ${row.currency}, ${row.magnitude}::numeric,
      ${row.lag_hours}, ${row.raw_logit}, to_timestamp(${row.createdAt}::bigint / 1000.0))`);
}
