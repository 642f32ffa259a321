import type { Range } from '@decision-ledger/contract/range';
import sql, { type Sql } from 'sql-template-tag';

/**
 * Conditions on a column of time.
 * @param column a name of this program's own, such as `e."timestamp"`
 */
export function timeRange(column: Sql, { start, end }: Range): Sql[] {
  const at = (ms: number): Sql => sql`to_timestamp(${ms}::bigint / 1000.0)`;
  return [
    ...(start === undefined ? [] : [sql`${column} >= ${at(start)}`]),
    ...(end === undefined ? [] : [sql`${column} < ${at(end)}`]),
  ];
}
