import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns the places in the chain of the decisions whose links had a share of the events (UUIDs) */
export async function deleteAllocations(
  tx: Queryable,
  { ledgerId }: Scope,
  eventIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ decision_seq: number }>(sql`
    delete from link_allocations
    where ledger_id = ${ledgerId} and event_id = any(${eventIds}::uuid[])
    returning decision_seq`);
  return rows.map(({ decision_seq }) => decision_seq);
}
