import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Where the chain of activity ends, and the time of the database, ms. */
export interface ActivityEnd {
  readonly seq: number;
  readonly now: number;
}

export async function selectActivityEnd(db: Queryable, { ledgerId }: Scope): Promise<ActivityEnd> {
  const [row] = await db.query<ActivityEnd>(sql`
    select seq,
      floor(extract(epoch from greatest(clock_timestamp(), created_at)) * 1000)::bigint as now
    from chain_heads where ledger_id = ${ledgerId} and chain = 'activity'`);
  if (row === undefined) throw new Error(`ledger ${ledgerId} has no activity chain`);
  return row;
}
