import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @returns the number of the last of `count` new announcements */
export async function advanceHead(
  tx: Queryable,
  { ledgerId }: Scope,
  count: number,
): Promise<number> {
  const { text, values } = sql`
    insert into announcement_heads as h (ledger_id, seq) values (${ledgerId}, ${count})
    on conflict (ledger_id) do update set seq = h.seq + excluded.seq returning h.seq`;
  const [row] = await tx.query<{ seq: number }>({ text, values, newsOf: ledgerId });
  if (row === undefined) throw new Error('the head of the announcements did not move');
  return row.seq;
}
