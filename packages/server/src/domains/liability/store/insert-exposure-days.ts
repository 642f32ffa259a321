import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Keeps how the exposure stands now, as that of a day (`2026-04-16`). */
export async function insertExposureDays(
  tx: Queryable,
  { ledgerId }: Scope,
  day: string,
  currency: string,
): Promise<void> {
  await tx.query(sql`
    insert into exposure_days (ledger_id, day, agent_id, action_type, currency, decisions,
      exposure, realised)
    select ${ledgerId}, ${day}::date, agent_id, action_type, ${currency}, sum(decisions),
      sum(exposure), sum(realised)
    from exposure_cells where ledger_id = ${ledgerId} group by agent_id, action_type
    on conflict do nothing`);
}
