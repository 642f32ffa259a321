import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param currency that of all estimates; null where there are several */
export async function updateCurrency(
  tx: Queryable,
  { ledgerId }: Scope,
  currency: string | null,
): Promise<void> {
  await tx.query(sql`
    update liability_states set currency = ${currency} where ledger_id = ${ledgerId}`);
}
