import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns those of the events (UUIDs) that still wait to be correlated, locked */
export async function lockWaitingEvents(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])
      and correlated_at is null and deleted_at is null
    order by event_id for update`);
  return rows.map(({ event_id }) => event_id);
}
