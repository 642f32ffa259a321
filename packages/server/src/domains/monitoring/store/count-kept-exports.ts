import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';

/** Exports whose file is kept, of all ledgers, counted up to a limit. An index holds them alone. */
export async function countKeptExports(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ kept: number }>(sql`
    select count(*)::integer as kept from (
      select from exports where status = 'complete' limit ${most}) as files`);
  return row?.kept ?? 0;
}
