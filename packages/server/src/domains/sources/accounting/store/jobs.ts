import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import { ACCOUNTING_POLLS } from '../queue.js';

export interface PendingPoll {
  readonly connection_id: string;
  /** `retry`: waits after a failed attempt. */
  readonly state: 'created' | 'retry' | 'active';
}

/** Polls that are queued, running or waiting for a retry. */
export async function selectPendingPolls(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<PendingPoll[]> {
  return db.query<PendingPoll>(sql`
    select data ->> 'connection_id' as connection_id, state::text as state from pgboss.job
    where name = ${ACCOUNTING_POLLS.name} and state in ('created', 'retry', 'active')
      and data ->> 'ledger_id' = ${ledgerId}`);
}
