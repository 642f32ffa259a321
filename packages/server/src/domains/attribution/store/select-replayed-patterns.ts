import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { PatternRow } from './select-patterns.js';

/** The counts as the whole log of reviews makes them. */
export async function selectReplayedPatterns(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<PatternRow[]> {
  return db.query<PatternRow>(sql`
    select r.event_type, r.action_type, r.agent_id,
      floor(extract(epoch from r.created_at) / 86400)::int as day,
      (count(*) filter (where r.verdict = 'confirmed'))::int as confirmed,
      (count(*) filter (where r.verdict = 'rejected'))::int as rejected
    from link_reviews r
    where r.ledger_id = ${ledgerId} and r.verdict <> 'withdrawn'
      and not exists (select from link_reviews w
        where w.ledger_id = r.ledger_id and w.link_id = r.link_id and w.verdict = 'withdrawn')
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`);
}
