import sql, { empty, type Sql } from 'sql-template-tag';
import type { Position } from '../rules/position.js';

/** Which decisions a bundle holds, and from where on. */
export interface RangePage {
  /** ms: start ≤ timestamp < end. */
  readonly start: number;
  readonly end: number;
  readonly lastSeq: number;
  readonly after: Position | null;
}

/** Far from 1970 to_timestamp misses the millisecond: a page would begin with the row behind which it is asked for. */
const at = (ms: number): Sql => sql`to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3)`;

/** What such a page asks of the table d beside its ledger, behind an `and`. */
export function inRange({ start, end, lastSeq, after }: RangePage): Sql {
  const behind =
    after === null
      ? empty
      : sql` and (d."timestamp", d.seq) > (${at(after.timestamp)}, ${after.seq}::bigint)`;
  const from = after === null ? start : Math.max(start, after.timestamp);
  return sql` and d."timestamp" >= ${at(from)} and d."timestamp" < ${at(end)}
    and d.seq <= ${lastSeq}${behind}`;
}
