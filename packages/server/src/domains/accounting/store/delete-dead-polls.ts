import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { DEAD_LETTERS } from '../../../platform/jobs/queue.js';
import type { Scope } from '../../../platform/scope.js';
import { ACCOUNTING_POLLS } from '../queue.js';

/** A poll that succeeds has read what those before it were given up over. */
export async function deleteDeadPolls(
  db: Queryable,
  { ledgerId }: Scope,
  connectionId: string,
): Promise<void> {
  await db.query(sql`
    delete from pgboss.job
    where name = ${DEAD_LETTERS} and source_name = ${ACCOUNTING_POLLS.name}
      and data ->> 'ledger_id' = ${ledgerId} and data ->> 'connection_id' = ${connectionId}`);
}
