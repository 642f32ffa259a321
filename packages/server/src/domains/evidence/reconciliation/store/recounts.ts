import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/** Whether a job that counts the events of a ledger again waits or runs. */
export async function isRecountPending(db: Queryable, { ledgerId }: Scope): Promise<boolean> {
  const [row] = await db.query<{ pending: boolean }>(sql`
    select exists (select from pgboss.job where name = 'money-signs'
      and state in ('created', 'retry', 'active') and data ->> 'ledger_id' = ${ledgerId}) as pending`);
  return row?.pending === true;
}
