import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
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
      and "timestamp" >= to_timestamp(${start}::bigint / 1000.0)::timestamptz(3)
      and "timestamp" < to_timestamp(${end}::bigint / 1000.0)::timestamptz(3)
    offset ${most} limit 1`);
  return rows.length > 0;
}
