import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Replaces the stored text of settings that stay what they are. */
export async function updateDocument(
  tx: Queryable,
  { ledgerId }: Scope,
  document: string,
): Promise<void> {
  await tx.query(sql`update settings set document = ${document} where ledger_id = ${ledgerId}`);
}
