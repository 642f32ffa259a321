import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { AMOUNT_BINS, type AmountsRow } from '../rules/learn.js';
import { isAmong, type WhichDecisions } from './which-decisions.js';

/** Amounts at risk that decisions stated or that links told, in bins. */
export async function selectAmounts(
  db: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<AmountsRow[]> {
  return db.query<AmountsRow>(sql`
    select e.action_type, floor(ln(e.amount_at_risk::float8) * ${AMOUNT_BINS})::integer as bin,
      count(*) as decisions
    from liability_estimates e
    where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)}
      and e.amount_basis in ('stated', 'linked') and e.amount_at_risk > 0
    group by 1, 2`);
}
