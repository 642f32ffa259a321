import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { DEAD_LETTERS } from '../../../platform/jobs/queue.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * @param jobId UUID
 * @returns the queue that gave the job up
 */
export async function selectDeadJob(
  tx: Queryable,
  { ledgerId }: Scope,
  jobId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ queue: string }>(sql`
    select source_name as queue from pgboss.job
    where name = ${DEAD_LETTERS} and state = 'created' and id = ${jobId}
      and data ->> 'ledger_id' = ${ledgerId} for update`);
  return row?.queue ?? null;
}
