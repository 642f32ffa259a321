import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Has an event (UUID) looked at again. */
export async function updateWaiting(
  tx: Queryable,
  { ledgerId }: Scope,
  eventId: string,
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = null
    where ledger_id = ${ledgerId} and event_id = ${eventId} and deleted_at is null`);
}
