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

export interface PageRequest<Found extends PageRows<unknown>> {
  /** Name of the list. A cursor is valid for one list only. */
  readonly list: string;
  readonly scope: Scope;
  readonly query: PageQuery;
  readonly fetch: (after: readonly string[] | null, limit: number) => Promise<Found>;
  /** The sort key of an item. */
  readonly position: (item: Found['rows'][number]) => string[];
}

export interface Page<Found extends PageRows<unknown>> {
  readonly items: readonly Found['rows'][number][];
  readonly nextCursor: string | null;
  /** What `fetch` returned. */
  readonly found: Found;
}

/**
 * Reads a page of a list and the cursor of the next page.
 * @throws LedgerError `malformed_request` if the cursor is invalid or belongs to another list,
 *   ledger or filter
 */
export async function readPage<Found extends PageRows<unknown>>(
  codec: CursorCodec,
  { list, scope, query, fetch, position }: PageRequest<Found>,
): Promise<Page<Found>> {
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
  const found = await fetch(after, limit);
  const { rows, hasMore }: PageRows<Found['rows'][number]> = found;
  const last = rows.at(-1);
  const goesOn = hasMore && last !== undefined;
  const nextCursor = goesOn ? codec.encode(position(last), bound, filters) : null;
  return { items: rows, nextCursor, found };
}

/** The filters of a query, as text. */
function filtersOf(query: PageQuery): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([name, value]) => name !== 'cursor' && name !== 'limit' && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}
