import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param eventIds UUIDs */
export async function updateCorrelated(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update financial_events set correlated_at = now()
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])`);
}
