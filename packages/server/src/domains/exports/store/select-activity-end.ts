import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Where the chain of activity ends. */
export interface ActivityEnd {
  readonly seq: number;
  /** ms: the database's clock, never before the last record of either chain. */
  readonly now: number;
}

export async function selectActivityEnd(db: Queryable, { ledgerId }: Scope): Promise<ActivityEnd> {
  const [row] = await db.query<ActivityEnd>(sql`
    select a.seq,
      floor(extract(epoch from greatest(clock_timestamp(), a.created_at, d.created_at))
        * 1000)::bigint as now
    from chain_heads a
    join chain_heads d on d.ledger_id = a.ledger_id and d.chain = 'decisions'
    where a.ledger_id = ${ledgerId} and a.chain = 'activity'`);
  if (row === undefined) throw new Error(`ledger ${ledgerId} lacks a chain`);
  return row;
}
