import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { ACCOUNTING_POLLS } from '../queue.js';

/** @returns connections with a poll that waits, runs, or will be tried again */
export async function selectWaitingPolls(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ connection_id: string }>(sql`
    select data ->> 'connection_id' as connection_id from pgboss.job
    where name = ${ACCOUNTING_POLLS.name} and state in ('created', 'retry', 'active')
      and data ->> 'ledger_id' = ${ledgerId}`);
  return new Set(rows.map(({ connection_id }) => connection_id));
}
