import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/** @param counts decisions by token; sorted, so that concurrent transactions cannot deadlock */
export async function addFrequencies(
  tx: Queryable,
  { ledgerId }: Scope,
  counts: ReadonlyMap<number, number>,
): Promise<void> {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  await tx.query(sql`
    insert into token_frequencies as f (ledger_id, token, decisions)
    select ${ledgerId}, token, decisions
    from unnest(${sorted.map(([token]) => token)}::integer[],
      ${sorted.map(([, decisions]) => decisions)}::bigint[]) as row (token, decisions)
    on conflict (ledger_id, token) do update set decisions = f.decisions + excluded.decisions`);
}

/** Deletes the tokens that no decision has any more. */
export async function deleteFrequencies(
  tx: Queryable,
  { ledgerId }: Scope,
  tokens: readonly number[],
): Promise<void> {
  await tx.query(sql`
    delete from token_frequencies
    where ledger_id = ${ledgerId} and token = any(${tokens}::integer[]) and decisions <= 0`);
}

/** @returns the approximate number of decisions with each token; a missing token is rare */
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
