import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Sums up estimates that are in no cell yet: those from behind one place to another. */
export async function addToCells(
  tx: Queryable,
  { ledgerId }: Scope,
  after: number,
  until: number,
): Promise<void> {
  await tx.query(sql`
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, decisions, confidence,
      overseen, exposure, realised, squares, stake, unconverted)
    select ${ledgerId}, date_trunc('hour', "timestamp"), agent_id, action_type, count(*),
      sum(confidence), count(*) filter (where oversight <> 'none'), sum(exposure), sum(realised),
      sum((exposure - realised) * (exposure - realised)), sum(stake), sum(unconverted)
    from liability_estimates
    where ledger_id = ${ledgerId} and seq > ${after} and seq <= ${until}
    group by 2, 3, 4
    on conflict (ledger_id, hour, agent_id, action_type) do update set
      decisions = c.decisions + excluded.decisions, confidence = c.confidence + excluded.confidence,
      overseen = c.overseen + excluded.overseen, exposure = c.exposure + excluded.exposure,
      realised = c.realised + excluded.realised, squares = c.squares + excluded.squares,
      stake = c.stake + excluded.stake, unconverted = c.unconverted + excluded.unconverted`);
}
