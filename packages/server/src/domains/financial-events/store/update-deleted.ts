import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Takes an event out of every sum; its row stays.
 * @param eventId UUID, like `supersededBy`
 */
export async function updateDeleted(
  tx: Queryable,
  { ledgerId }: Scope,
  eventId: string,
  deletedAt: number,
  supersededBy: string | null,
): Promise<void> {
  await tx.query(sql`
    update financial_events
    set deleted_at = to_timestamp(${deletedAt}::bigint / 1000.0), superseded_by = ${supersededBy}
    where ledger_id = ${ledgerId} and event_id = ${eventId}`);
}
