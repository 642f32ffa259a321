import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns about how many decisions hold each token; one that is not there is rare */
export async function selectFrequencies(
  db: Queryable,
  { ledgerId }: Scope,
  tokens: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db.query<{ token: number; decisions: number }>(sql`
    select token, decisions from token_frequencies
    where ledger_id = ${ledgerId} and token = any(${tokens}::integer[])`);
  return new Map(rows.map(({ token, decisions }) => [token, decisions]));
}
