import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Review } from '../rules/knowledge.js';

/** The latest reviews that were not taken back. */
export async function selectStandingReviews(
  db: Queryable,
  { ledgerId }: Scope,
  limit: number,
): Promise<Review[]> {
  return db.query<Review>(sql`
    select r.verdict, r.action_type, r.currency, r.magnitude::text as magnitude, r.lag_hours,
      r.raw_logit
    from link_reviews r
    where r.ledger_id = ${ledgerId} and r.verdict <> 'withdrawn'
      and not exists (select from link_reviews w
        where w.ledger_id = r.ledger_id and w.link_id = r.link_id and w.verdict = 'withdrawn')
    order by r.review_id desc limit ${limit}`);
}
