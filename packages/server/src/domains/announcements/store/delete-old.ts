import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/**
 * Deletes the oldest announcements, as far as they are from before a time (ms).
 * @returns their numbers
 */
export async function deleteOld(
  db: Queryable,
  { ledgerId }: Scope,
  before: number,
  most: number,
): Promise<number[]> {
  const rows = await db.query<{ seq: number }>(sql`
    delete from announcements where ledger_id = ${ledgerId}
      and created_at < to_timestamp(${before}::bigint / 1000.0)
      and seq in (select seq from announcements where ledger_id = ${ledgerId}
        order by seq limit ${most})
    returning seq`);
  return rows.map(({ seq }) => seq);
}
