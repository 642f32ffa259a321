import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param alertId UUID */
export async function updateDelivered(
  tx: Queryable,
  { ledgerId }: Scope,
  alertId: string,
): Promise<void> {
  await tx.query(sql`
    update alerts set delivered_at = now()
    where ledger_id = ${ledgerId} and alert_id = ${alertId}`);
}
