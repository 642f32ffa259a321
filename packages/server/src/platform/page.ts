import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from './database.js';

/** One page of a list, as it is read. */
export interface PageRows<Row> {
  readonly rows: readonly Row[];
  /** Whether the list goes on behind the last row. */
  readonly hasMore: boolean;
}

/** How a list is read page by page. */
export interface PageSource {
  /** What the source is called in `columns`. */
  readonly table: Sql;
  readonly columns: Sql;
  /** All columns of what follows the page before, in the order of the list, with no LIMIT. */
  readonly rows: Sql;
  /** The same order, by bare column names. */
  readonly order: Sql;
  /** Bytes of what may be large in a row, as an expression that does not read it (`octet_length`). */
  readonly bytes: Sql;
}

/** Bytes of stored text in a page, the first row's apart: a page has at least one row. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * The next rows of a list: at most `limit` rows and `maxBytes` bytes, but at least one row. It is one
 * statement: the length of a stored text is known without reading it, so rows beyond the page are
 * never read.
 */
export async function selectPageRows<Row extends object>(
  db: Queryable,
  { table, columns, rows, order, bytes }: PageSource,
  limit: number,
  maxBytes = PAGE_BYTES,
): Promise<PageRows<Row>> {
  const found = await db.query<Row & { readonly has_next: boolean }>(sql`
    select ${columns}, has_next from (
      select *, row_number() over page as place, sum(${bytes}) over page as page_bytes,
        lead(true, 1, false) over page as has_next
      from (${rows} limit ${limit + 1}) as found
      window page as (order by ${order} rows unbounded preceding)
    ) as ${table}
    where place <= ${limit} and (place = 1 or page_bytes <= ${maxBytes})
    order by place`);
  return { rows: found, hasMore: found.at(-1)?.has_next ?? false };
}

/** A page of rows that are small, of which one more than `limit` was read. */
export function pageOf<Row>(found: readonly Row[], limit: number): PageRows<Row> {
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** The same page, each row turned into what `change` makes of it. */
export function mapPage<Row, Item>(
  { rows, hasMore }: PageRows<Row>,
  change: (row: Row) => Item,
): PageRows<Item> {
  return { rows: rows.map(change), hasMore };
}

/** Every row of a list, read page by page. */
export async function everyRow<Row>(
  read: (last: Row | null) => Promise<PageRows<Row>>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await read(all.at(-1) ?? null);
    for (const row of page.rows) all.push(row);
    ({ hasMore } = page);
  }
  return all;
}
