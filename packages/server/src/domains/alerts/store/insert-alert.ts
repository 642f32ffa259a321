import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param payload JSON text */
export async function insertAlert(
  tx: Queryable,
  { ledgerId }: Scope,
  alertId: string,
  payload: string,
): Promise<void> {
  await tx.query(sql`
    insert into alerts (ledger_id, alert_id, payload, created_at)
    values (${ledgerId}, ${alertId}, ${payload}, now())`);
}
