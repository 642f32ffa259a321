import sql, { empty, raw } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { instant } from '../../../platform/instant.js';
import { type PageRows, selectPageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { ACTIVITY_COLUMNS, type ActivityRecord } from './activity-record.js';

export interface ActivityFilter {
  readonly type: string | undefined;
  readonly subject: string | undefined;
  /** ms; the end is excluded. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/**
 * Newest first. The chain's order is also the order in time.
 * @param before the seq at which the page before ended
 */
export async function selectPage(
  db: Queryable,
  { ledgerId }: Scope,
  filter: ActivityFilter,
  before: number | null,
  limit: number,
): Promise<PageRows<ActivityRecord>> {
  const { type, subject, start, end } = filter;
  const rows = sql`
    select * from activity where ledger_id = ${ledgerId}
    ${type === undefined ? empty : sql`and type = ${type}`}
    ${subject === undefined ? empty : sql`and subject = ${subject}`}
    ${start === undefined ? empty : sql`and created_at >= ${instant(start)}`}
    ${end === undefined ? empty : sql`and created_at < ${instant(end)}`}
    ${before === null ? empty : sql`and seq < ${before}`}
    order by seq desc`;
  return selectPageRows<ActivityRecord>(db, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('activity'),
  columns: ACTIVITY_COLUMNS,
  order: raw('seq desc'),
  bytes: raw('octet_length(entry) + coalesce(octet_length(data), 0)'),
};
