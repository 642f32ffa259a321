import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** How a poll ended: null keeps the cursor of the poll before. */
export interface PollEnd {
  readonly connectionId: string;
  readonly cursor: string | null;
  readonly problem: string | null;
  /** ms. */
  readonly polledAt: number;
}

export async function upsertPoll(
  tx: Queryable,
  { ledgerId }: Scope,
  { connectionId, cursor, problem, polledAt }: PollEnd,
): Promise<void> {
  await tx.query(sql`
    insert into accounting_connections as c (ledger_id, connection_id, cursor, problem, polled_at)
    values (${ledgerId}, ${connectionId}, ${cursor}, ${problem},
      to_timestamp(${polledAt}::bigint / 1000.0))
    on conflict (ledger_id, connection_id) do update
      set cursor = coalesce(excluded.cursor, c.cursor), problem = excluded.problem,
        polled_at = excluded.polled_at`);
}
