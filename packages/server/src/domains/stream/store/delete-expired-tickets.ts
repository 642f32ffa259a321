import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param now ms */
export async function deleteExpiredTickets(
  db: Queryable,
  { ledgerId }: Scope,
  now: number,
): Promise<void> {
  await db.query(sql`
    delete from stream_tickets
    where ledger_id = ${ledgerId} and expires_at <= to_timestamp(${now}::bigint / 1000.0)`);
}
