import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

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
