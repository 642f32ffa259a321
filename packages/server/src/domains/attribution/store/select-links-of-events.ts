import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** A link as far as suggestions have to mind it. */
export interface LinkRow {
  readonly link_id: string;
  readonly event_id: string;
  readonly decision_id: string;
  readonly status: 'CONFIRMED' | 'ML_SUGGESTED' | 'ML_INFERRED' | 'REJECTED';
  readonly correlation_strength: number;
}

/**
 * Links of events (UUIDs) that stand, and those that were rejected and not taken back, which must
 * not be suggested again.
 */
export async function selectLinksOfEvents(
  db: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<LinkRow[]> {
  return db.query<LinkRow>(sql`
    select l.link_id, l.event_id, l.decision_id, l.status,
      l.correlation_strength::float8 as correlation_strength
    from links l
    where l.ledger_id = ${ledgerId} and l.event_id = any(${eventIds}::uuid[])
      and (l.deleted_at is null or (l.status = 'REJECTED' and not exists (
        select from link_reviews r where r.ledger_id = l.ledger_id and r.link_id = l.link_id
          and r.verdict = 'withdrawn')))`);
}
