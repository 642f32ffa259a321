import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Position } from '../rules/position.js';

/** Where the logs end, in one state: whatever rests on something else has that before it. */
export async function selectHeads(db: Queryable, { ledgerId }: Scope): Promise<Position> {
  const { text, values } = sql`
    select
      (select seq from chain_heads where ledger_id = ${ledgerId} and chain = 'decisions')
        as decisions,
      (select seq from chain_heads where ledger_id = ${ledgerId} and chain = 'activity')
        as activity,
      coalesce((select seq from announcement_heads where ledger_id = ${ledgerId}), 0)
        as announcements`;
  const [row] = await db.query<Position>({ name: 'stream-heads', text, values });
  if (row === undefined) throw new Error('the heads of a ledger were not told');
  return row;
}
