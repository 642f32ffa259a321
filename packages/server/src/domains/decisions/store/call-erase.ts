import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Empties the fields of a decision (UUID) that the last record of the chain of activity names: the
 * database does it for no other reason.
 */
export async function callErase(
  tx: Queryable,
  { ledgerId }: Scope,
  decisionId: string,
): Promise<void> {
  await tx.query(sql`select erase_decision_fields(${ledgerId}::uuid, ${decisionId}::uuid)`);
}
