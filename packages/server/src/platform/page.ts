import sql, { type Sql } from 'sql-template-tag';
import { mapInTurns } from './in-turns.js';
import type { LedgerReader } from './ledger.js';

/** A page of a list. */
export interface PageRows<Row> {
  readonly rows: readonly Row[];
  /** Whether more rows follow. */
  readonly hasMore: boolean;
}

/** Which rows of a list make a page. */
export interface Slice<Key> {
  /** The sort key of the last row of the previous page; null for the first page. */
  readonly after: Key | null;
  /** How many rows at most. */
  readonly limit: number;
}

/** How the sort key of a list is written in the cursors of its pages. */
export interface SortKey<Key> {
  readonly write: (key: Key) => readonly string[];
  /** Reads what `write` returned. */
  readonly read: (parts: readonly string[]) => Key;
}

/** The sort key of a list that is sorted by a number, such as a time, and then by id. */
export interface Place {
  /** ms if it is a time. */
  readonly at: number;
  readonly id: string;
}

/** The SQL of a paged list. */
export interface PageSource {
  /** The name of the source in `columns`. */
  readonly table: Sql;
  readonly columns: Sql;
  /** All columns of the rows after the previous page, in list order, without LIMIT. */
  readonly rows: Sql;
  /** The same order, with bare column names. */
  readonly order: Sql;
  /** Size of the large columns of a row, computed without reading them (`octet_length`). */
  readonly bytes: Sql;
}

/** Maximum bytes of stored text in a page. The first row is always included. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * The next rows of a list: at most `limit` rows and `maxBytes` bytes, but at least one row. It is one
 * statement: the length of a stored text is known without reading it, so rows beyond the page are
 * never read.
 */
export async function selectPageRows<Row extends object>(
  ledger: Pick<LedgerReader, 'query'>,
  { table, columns, rows, order, bytes }: PageSource,
  limit: number,
  maxBytes = PAGE_BYTES,
): Promise<PageRows<Row>> {
  const found = await ledger.query<Row & { readonly has_next: boolean }>(sql`
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

/** A page of small rows, from a query for `limit` + 1 rows. */
export function pageOf<Row>(found: readonly Row[], limit: number): PageRows<Row> {
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** Maps the rows of a page. */
export function mapPage<Row, Item>(
  { rows, hasMore }: PageRows<Row>,
  change: (row: Row) => Item,
): PageRows<Item> {
  return { rows: rows.map(change), hasMore };
}

/** Maps the rows of a page that may be large, and serves other requests in between. */
export async function mapPageInTurns<Row, Item>(
  { rows, hasMore }: PageRows<Row>,
  change: (row: Row) => Item,
): Promise<PageRows<Item>> {
  return { rows: await mapInTurns(rows, change), hasMore };
}

/** Reads all rows of a list, page by page. */
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
