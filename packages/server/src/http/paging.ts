import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { PageRows } from '../platform/page.js';
import type { Scope } from '../platform/scope.js';
import type { CursorCodec } from './cursor.js';

/** The paging parameters of a list query. */
export interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
  readonly [filter: string]: unknown;
}

export interface PageRequest<Item> {
  /** Name of the list. A cursor is valid for one list only. */
  readonly list: string;
  readonly scope: Scope;
  readonly query: PageQuery;
  readonly fetch: (after: readonly string[] | null, limit: number) => Promise<PageRows<Item>>;
  /** The sort key of an item. */
  readonly position: (item: Item) => string[];
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/**
 * Reads a page of a list and the cursor of the next page.
 * @throws LedgerError `malformed_request` if the cursor is invalid or belongs to another list,
 *   ledger or filter
 */
export async function readPage<Item>(
  codec: CursorCodec,
  { list, scope, query, fetch, position }: PageRequest<Item>,
): Promise<Page<Item>> {
  const bound = `${list}:${scope.ledgerId}`;
  const filters = filtersOf(query);
  const after = query.cursor === undefined ? null : codec.decode(query.cursor, bound, filters);
  if (after === null && query.cursor !== undefined) {
    throw new LedgerError(
      'malformed_request',
      'the cursor is not valid here: send next_cursor unchanged, with the same filters',
    );
  }
  const limit = query.limit ?? LIMITS.pageDefault;
  const { rows, hasMore } = await fetch(after, limit);
  const last = rows.at(-1);
  const goesOn = hasMore && last !== undefined;
  return { items: rows, nextCursor: goesOn ? codec.encode(position(last), bound, filters) : null };
}

/** The filters of a query, as text. */
function filtersOf(query: PageQuery): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([name, value]) => name !== 'cursor' && name !== 'limit' && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}
