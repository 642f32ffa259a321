import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { isAmong, type WhichDecisions } from './which-decisions.js';

/** Sums up estimates that are in no cell yet. */
export async function addToCells(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<void> {
  await tx.query(sql`
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, decisions, confidence,
      overseen, exposure, realised, squares, stake, unconverted)
    select ${ledgerId}, date_trunc('hour', "timestamp"), agent_id, action_type, count(*),
      sum(confidence), count(*) filter (where oversight <> 'none'), sum(exposure), sum(realised),
      sum((exposure - realised) * (exposure - realised)), sum(stake), sum(unconverted)
    from liability_estimates e where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)}
    group by 2, 3, 4
    on conflict (ledger_id, hour, agent_id, action_type) do update set
      decisions = c.decisions + excluded.decisions, confidence = c.confidence + excluded.confidence,
      overseen = c.overseen + excluded.overseen, exposure = c.exposure + excluded.exposure,
      realised = c.realised + excluded.realised, squares = c.squares + excluded.squares,
      stake = c.stake + excluded.stake, unconverted = c.unconverted + excluded.unconverted`);
}
