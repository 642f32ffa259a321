import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/** @param counts of decisions by token; taken in the order of the tokens, so that none waits for another */
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
