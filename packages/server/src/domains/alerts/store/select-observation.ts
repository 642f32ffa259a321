import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { DEAD_LETTERS } from '../../../platform/jobs/queue.js';
import type { Scope } from '../../../platform/scope.js';
import type { Observation } from '../rules/alert-state.js';

/** How long the oldest job of a ledger that is due has waited, and how many were given up. */
export async function selectObservation(tx: Queryable, { ledgerId }: Scope): Promise<Observation> {
  const [row] = await tx.query<Observation>(sql`
    select
      coalesce(floor(extract(epoch from now() - min(start_after)
        filter (where name <> ${DEAD_LETTERS} and start_after <= now()))), 0)::int
        as "oldestWaitingSeconds",
      (count(*) filter (where name = ${DEAD_LETTERS}))::int as "deadLetters"
    from pgboss.job where state in ('created', 'retry') and data ->> 'ledger_id' = ${ledgerId}`);
  return row ?? { oldestWaitingSeconds: 0, deadLetters: 0 };
}
