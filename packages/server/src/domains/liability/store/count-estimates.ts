import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { isAmong, type WhichDecisions } from './which-decisions.js';

export async function countEstimates(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from liability_estimates e
    where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)}`);
  return row?.count ?? 0;
}
