import sql, { empty, type Sql } from 'sql-template-tag';
import { instant } from '../../../platform/instant.js';
import type { Position } from '../rules/position.js';

/** Which decisions a bundle holds, and from where on. */
export interface RangePage {
  /** ms: start ≤ timestamp < end. */
  readonly start: number;
  readonly end: number;
  readonly lastSeq: number;
  readonly after: Position | null;
}

/** What such a page asks of the table d beside its ledger, behind an `and`. */
export function inRange({ start, end, lastSeq, after }: RangePage): Sql {
  const behind =
    after === null
      ? empty
      : sql` and (d."timestamp", d.seq) > (${instant(after.timestamp)}, ${after.seq}::bigint)`;
  const from = after === null ? start : Math.max(start, after.timestamp);
  return sql` and d."timestamp" >= ${instant(from)} and d."timestamp" < ${instant(end)}
    and d.seq <= ${lastSeq}${behind}`;
}
