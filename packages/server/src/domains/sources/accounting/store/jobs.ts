import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { ACCOUNTING_POLLS } from '../queue.js';

export interface PendingPoll {
  readonly connection_id: string;
  /** `retry`: waits after a failed attempt. */
  readonly state: 'created' | 'retry' | 'active';
}

/** Polls that are queued, running or waiting for a retry. */
export async function selectPendingPolls(ledger: LedgerReader): Promise<PendingPoll[]> {
  return ledger.query<PendingPoll>(sql`
    select data ->> 'connection_id' as connection_id, state::text as state from pgboss.job
    where name = ${ACCOUNTING_POLLS.name} and state in ('created', 'retry', 'active')
      and data ->> 'ledger_id' = ${ledger.ledgerId}`);
}
