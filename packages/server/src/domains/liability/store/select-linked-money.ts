import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { isAmong, type WhichDecisions } from './which-decisions.js';

/** What links of one decision move in one currency on one day: decimal text. */
export interface LinkedMoneyRow {
  readonly seq: number;
  readonly currency: string;
  /** ms; all of one day have the same rate. */
  readonly at: number;
  readonly links: number;
  readonly linked: string;
  readonly lost: string;
}

export async function selectLinkedMoney(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<LinkedMoneyRow[]> {
  return tx.query<LinkedMoneyRow>(sql`
    select a.decision_seq as seq, a.currency,
      (extract(epoch from date_trunc('day', a."timestamp")) * 1000)::bigint as at,
      count(*) as links, sum(abs(a.amount))::text as linked,
      coalesce(-sum(a.amount) filter (where a.is_confirmed and a.link_type = 'loss'), 0)::text
        as lost
    from link_allocations a
    where a.ledger_id = ${ledgerId} and ${isAmong(sql`a.decision_seq`, which)}
    group by 1, 2, 3`);
}
