import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import type { Scope } from '../../../platform/scope.js';

/** Whether a range (ms, the end excluded) holds more decisions than `most`. */
export async function selectIsLarge(
  db: Queryable,
  { ledgerId }: Scope,
  { start, end }: { readonly start: number; readonly end: number },
  most: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    select from decisions where ledger_id = ${ledgerId}
      and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}
    offset ${most} limit 1`);
  return rows.length > 0;
}
