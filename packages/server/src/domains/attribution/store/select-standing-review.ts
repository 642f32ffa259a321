import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { ReviewedRow } from './select-reviewed.js';

export interface StandingRow extends ReviewedRow {
  readonly verdict: 'confirmed' | 'rejected';
  /** ms. */
  readonly created_at: number;
}

/** What was said of a link (UUID) and not taken back. */
export async function selectStandingReview(
  tx: Queryable,
  { ledgerId }: Scope,
  linkId: string,
): Promise<StandingRow | null> {
  const [row] = await tx.query<StandingRow>(sql`
    select r.verdict, r.agent_id, r.action_type, r.event_type, r.currency,
      r.magnitude::text as magnitude, r.lag_hours, r.raw_logit,
      (extract(epoch from r.created_at) * 1000)::bigint as created_at
    from link_reviews r
    where r.ledger_id = ${ledgerId} and r.link_id = ${linkId} and r.verdict <> 'withdrawn'
      and not exists (select from link_reviews w
        where w.ledger_id = r.ledger_id and w.link_id = r.link_id and w.verdict = 'withdrawn')`);
  return row ?? null;
}
