import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export async function updateState(
  tx: Queryable,
  { ledgerId }: Scope,
  state: string,
): Promise<void> {
  await tx.query(sql`
    update alert_states set state = ${state}, updated_at = now() where ledger_id = ${ledgerId}`);
}
