import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/** The events (UUIDs) after an id, in the order of ids, deleted or not. */
export async function selectEventIds(
  db: Queryable,
  { ledgerId }: Scope,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const later = after === null ? empty : sql` and event_id > ${after}::uuid`;
  const rows = await db.query<{ event_id: string }>(sql`
    select event_id from financial_events where ledger_id = ${ledgerId}${later}
    order by event_id limit ${limit}`);
  return rows.map(({ event_id }) => event_id);
}
