import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { OutcomesRow } from '../rules/learn.js';
import { isAmong, type WhichDecisions } from './which-decisions.js';

/** Decisions from before these times (ms) have shown whether they cost money. */
export interface MatureBefore {
  readonly others: number;
  readonly byActionType: readonly (readonly [actionType: string, time: number])[];
}

/** A loss counts for no more than so many times the amount that was thought at risk. */
const MOST_SEVERE = 10;

/** Outcomes of decisions that are old enough to tell, or have cost money already. */
export async function selectOutcomes(
  db: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
  { others, byActionType }: MatureBefore,
): Promise<OutcomesRow[]> {
  return db.query<OutcomesRow>(sql`
    select e.action_type, least(9, floor(e.confidence * 10))::integer as confidence_bin,
      e.oversight, count(*) as decisions, count(*) filter (where e.realised > 0) as losses,
      coalesce(sum(least(${MOST_SEVERE}, e.realised / nullif(e.amount_at_risk, 0)))
        filter (where e.realised > 0 and e.amount_at_risk > 0), 0)::float8 as severity_sum,
      count(*) filter (where e.realised > 0 and e.amount_at_risk > 0) as severity_count
    from liability_estimates e
    left join unnest(${byActionType.map(([type]) => type)}::text[],
      ${byActionType.map(([, time]) => time)}::float8[]) as m (action_type, mature_before)
      on m.action_type = e.action_type
    where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)} and (e.realised > 0
      or e."timestamp" <= to_timestamp(coalesce(m.mature_before, ${others}::float8) / 1000.0))
    group by 1, 2, 3`);
}
