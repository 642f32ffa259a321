import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface EventRow {
  readonly event_id: string;
  readonly event_type: string;
  readonly amount: string;
  readonly currency: string;
  readonly external_id: string | null;
  /** Canonical JSON. */
  readonly metadata: string | null;
  /** ms. */
  readonly timestamp: number;
}

/** Events that wait to be correlated, oldest first. */
export async function selectNewEvents(
  db: Queryable,
  { ledgerId }: Scope,
  limit: number,
): Promise<EventRow[]> {
  return db.query<EventRow>(sql`
    select event_id, event_type, amount::text as amount, currency, external_id, metadata,
      (extract(epoch from "timestamp") * 1000)::bigint as "timestamp"
    from financial_events
    where ledger_id = ${ledgerId} and correlated_at is null and deleted_at is null
    order by event_id limit ${limit}`);
}
