import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Article12Decision } from '../rules/article12.js';
import { SUMMARY_COLUMNS, withPublicId } from './article12-columns.js';
import { inRange, type RangePage } from './range-page.js';

/**
 * Decisions of a range by time, then by seq, with their payload: as many as have so many bytes
 * together, and at least one. The length of a stored text is known without reading it.
 */
export async function selectArticle12Records(
  db: Queryable,
  { ledgerId }: Scope,
  page: RangePage,
  most: { readonly records: number; readonly bytes: number },
): Promise<Article12Decision[]> {
  const rows = await db.query<Article12Decision>(sql`
    with sized as (
      select c.seq, row_number() over w as place, sum(c.bytes) over w as bytes
      from (
        select d.seq, d."timestamp", octet_length(d.entry) + coalesce(octet_length(d.inputs), 0)
          + coalesce(octet_length(d.outputs), 0) + coalesce(octet_length(d.alternatives), 0)
          + coalesce(octet_length(d.metadata), 0) as bytes
        from decisions d where d.ledger_id = ${ledgerId}${inRange(page)}
        order by d."timestamp", d.seq limit ${most.records}
      ) as c window w as (order by c."timestamp", c.seq rows unbounded preceding)
    )
    select ${SUMMARY_COLUMNS}, d.inputs, d.outputs, d.alternatives
    from sized s join decisions d on d.ledger_id = ${ledgerId} and d.seq = s.seq
    where s.place = 1 or s.bytes <= ${most.bytes}
    order by d."timestamp", d.seq`);
  return rows.map(withPublicId);
}
