import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';

/** Those of some events (UUIDs) that lie in a range, in ms; the end is excluded. */
export async function whichInRange(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
  eventIds: readonly string[],
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const rows = await db.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}`);
  return rows.map((row) => row.event_id);
}
