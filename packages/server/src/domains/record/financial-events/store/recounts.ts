import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** Whether a job that counts the events of a ledger again waits or runs. */
export async function isRecountPending(ledger: LedgerReader): Promise<boolean> {
  const [row] = await ledger.query<{ pending: boolean }>(sql`
    select exists (select from pgboss.job where name = 'money-signs'
      and state in ('created', 'retry', 'active') and data ->> 'ledger_id' = ${ledger.ledgerId}) as pending`);
  return row?.pending === true;
}
