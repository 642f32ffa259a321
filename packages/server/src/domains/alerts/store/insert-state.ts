import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Makes the row that lockState locks, where there is none. */
export async function insertState(
  tx: Queryable,
  { ledgerId }: Scope,
  state: string,
): Promise<void> {
  await tx.query(sql`
    insert into alert_states (ledger_id, state, updated_at) values (${ledgerId}, ${state}, now())
    on conflict (ledger_id) do nothing`);
}
