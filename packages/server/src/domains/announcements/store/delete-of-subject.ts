import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Looks through all announcements, which are those of some days. */
export async function deleteOfSubject(
  tx: Queryable,
  { ledgerId }: Scope,
  subject: string,
): Promise<void> {
  await tx.query(sql`
    delete from announcements where ledger_id = ${ledgerId} and subject = ${subject}`);
}
