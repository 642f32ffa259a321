import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../database.js';
import type { Scope } from '../scope.js';
import type { ChainName } from './head.js';

/** The greatest place stored and the one that the head names, in one snapshot. */
export async function selectReach(
  db: Queryable,
  { ledgerId }: Scope,
  chain: ChainName,
): Promise<{ last: number; head: number }> {
  const [row] = await db.query<{ last: number; head: number }>(sql`
    select h.seq as head,
      coalesce((select max(seq) from ${raw(chain)} where ledger_id = ${ledgerId}), 0) as last
    from chain_heads h where h.ledger_id = ${ledgerId} and h.chain = ${chain}`);
  return row ?? { last: 0, head: 0 };
}
