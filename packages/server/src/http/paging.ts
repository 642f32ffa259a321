import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { PageParameters } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { PageRows, Slice, SortKey } from '../platform/page.js';
import type { Scope } from '../platform/principal.js';
import type { CursorCodec } from './cursor.js';

const checkPaging = checker(Type.Object(PageParameters), 'query');

export interface PageRequest<Found extends PageRows<unknown>, Key> {
  /** Name of the list. A cursor is valid for one list only. */
  readonly list: string;
  readonly scope: Scope;
  /** The paging parameters and the filters. */
  readonly query: unknown;
  readonly key: SortKey<Key>;
  readonly fetch: (slice: Slice<Key>) => Promise<Found>;
  readonly keyOf: (row: Found['rows'][number]) => Key;
}

export interface Page<Found extends PageRows<unknown>> {
  readonly items: Found['rows'][number][];
  readonly next_cursor: string | null;
  /** What `fetch` returned. */
  readonly found: Found;
}

/**
 * Reads a page of a list and the cursor of the next page.
 * @throws LedgerError `malformed_request` if the cursor is invalid or belongs to another list,
 *   ledger or filter
 */
export async function readPage<Found extends PageRows<unknown>, Key>(
  codec: CursorCodec,
  { list, scope, query, key, fetch, keyOf }: PageRequest<Found, Key>,
): Promise<Page<Found>> {
  const bound = `${list}:${scope.ledgerId}`;
  const { cursor, limit = LIMITS.pageDefault } = checkPaging(query);
  const filters = filtersOf(query);
  const parts = cursor === undefined ? null : codec.decode(cursor, bound, filters);
  if (parts === null && cursor !== undefined) {
    throw new LedgerError(
      'malformed_request',
      'the cursor is not valid here: send next_cursor unchanged, with the same filters',
    );
  }
  const after = parts === null ? null : key.read(parts);
  const found = await fetch({ after, limit });
  const { rows, hasMore }: PageRows<Found['rows'][number]> = found;
  const last = rows.at(-1);
  const goesOn = hasMore && last !== undefined;
  const next_cursor = goesOn ? codec.encode(key.write(keyOf(last)), bound, filters) : null;
  return { items: [...rows], next_cursor, found };
}

/** The filters of a query, as text. */
function filtersOf(query: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Object(query))
      .filter(([name, value]) => name !== 'cursor' && name !== 'limit' && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}
