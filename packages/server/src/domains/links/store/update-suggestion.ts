import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * @param linkId UUID
 * @param score canonical JSON
 */
export async function updateSuggestion(
  tx: Queryable,
  { ledgerId }: Scope,
  linkId: string,
  strength: number,
  score: string,
): Promise<void> {
  await tx.query(sql`
    update links set correlation_strength = ${String(strength)}::numeric, score = ${score}
    where ledger_id = ${ledgerId} and link_id = ${linkId}`);
}
