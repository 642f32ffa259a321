import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Deletes those of these tokens that no decision holds any more. */
export async function deleteFrequencies(
  tx: Queryable,
  { ledgerId }: Scope,
  tokens: readonly number[],
): Promise<void> {
  await tx.query(sql`
    delete from token_frequencies
    where ledger_id = ${ledgerId} and token = any(${tokens}::integer[]) and decisions <= 0`);
}
