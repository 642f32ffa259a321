import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns UUIDs of events that were never correlated, oldest first, locked */
export async function takeNewEvents(
  tx: Queryable,
  { ledgerId }: Scope,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledgerId} and correlated_at is null and deleted_at is null
    order by event_id limit ${limit} for update skip locked`);
  return rows.map(({ event_id }) => event_id);
}
