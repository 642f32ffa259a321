import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Article12Summary } from '../rules/article12.js';
import { SUMMARY_COLUMNS, withPublicId } from './article12-columns.js';
import { inRange, type RangePage } from './range-page.js';

/** The same with nothing of the payload but the metadata. */
export async function selectArticle12Summaries(
  db: Queryable,
  { ledgerId }: Scope,
  page: RangePage,
  most: { readonly records: number; readonly bytes: number },
): Promise<Article12Summary[]> {
  const rows = await db.query<Article12Summary>(sql`
    with sized as (
      select c.seq, row_number() over w as place, sum(c.bytes) over w as bytes
      from (
        select d.seq, d."timestamp",
          octet_length(d.entry) + coalesce(octet_length(d.metadata), 0) as bytes
        from decisions d where d.ledger_id = ${ledgerId}${inRange(page)}
        order by d."timestamp", d.seq limit ${most.records}
      ) as c window w as (order by c."timestamp", c.seq rows unbounded preceding)
    )
    select ${SUMMARY_COLUMNS}
    from sized s join decisions d on d.ledger_id = ${ledgerId} and d.seq = s.seq
    where s.place = 1 or s.bytes <= ${most.bytes}
    order by d."timestamp", d.seq`);
  return rows.map(withPublicId);
}
