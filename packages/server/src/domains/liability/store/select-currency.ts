import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns no row where nothing was estimated yet */
export function selectCurrency(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<{ currency: string | null }[]> {
  return db.query<{ currency: string | null }>(sql`
    select currency from liability_states where ledger_id = ${ledgerId}`);
}
