import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { ACCOUNTING_POLLS } from '../queue.js';

/** Ends the pause before the next try of a poll. @returns whether there was one to be tried again */
export async function updateRetryNow(
  db: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    update pgboss.job set start_after = least(start_after, now())
    where name = ${ACCOUNTING_POLLS.name} and state = 'retry'
      and data ->> 'ledger_id' = ${ledgerId} and data ->> 'connection_id' = ${connectionId}
    returning id`);
  return rows.length > 0;
}
