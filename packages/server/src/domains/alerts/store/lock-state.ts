import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns JSON text of what was told, or null while another process looks at the same ledger */
export async function lockState(tx: Queryable, { ledgerId }: Scope): Promise<string | null> {
  const [row] = await tx.query<{ state: string }>(sql`
    select state from alert_states where ledger_id = ${ledgerId} for update skip locked`);
  return row?.state ?? null;
}
