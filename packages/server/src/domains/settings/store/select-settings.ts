import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns JSON text of what the ledger sets away from the defaults, or null */
export async function selectSettings(db: Queryable, { ledgerId }: Scope): Promise<string | null> {
  const [row] = await db.query<{ document: string }>(sql`
    select document from settings where ledger_id = ${ledgerId}`);
  return row?.document ?? null;
}
