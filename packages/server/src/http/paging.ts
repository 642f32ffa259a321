import { createHmac, timingSafeEqual } from 'node:crypto';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { PageParameters } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { TokenKeys } from '../platform/keyring/keyring.js';
import type { PageRows, Place, Slice, SortKey } from '../platform/page.js';
import type { Scope } from '../platform/principal.js';

const checkPaging = checker(Type.Object(PageParameters), 'query');

export const byText: SortKey<string> = { write: (text) => [text], read: ([text = '']) => text };

export const byNumber: SortKey<number> = {
  write: (number) => [String(number)],
  read: ([number]) => Number(number),
};

export const byPlace: SortKey<Place> = {
  write: ({ at, id }) => [String(at), id],
  read: ([at, id = '']) => ({ at: Number(at), id }),
};

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

/** The filters of a list by name. An absent filter is omitted or undefined. */
export type CursorFilters = Readonly<Record<string, string | undefined>>;

/** Signed page cursors, each valid only for the list that it was made for. */
export interface CursorCodec {
  /**
   * Encodes a position, the sort key of the last row shown. `scope` names the ledger and the list.
   * Cursors are signed, not encrypted: a position holds only data that the reader may see.
   * Characters: `A-Z a-z 0-9 - _`.
   */
  encode(position: readonly string[], scope: string, filters: CursorFilters): string;
  /** Decodes a position; null unless `encode` made the cursor with the same scope and filters. */
  decode(cursor: string, scope: string, filters: CursorFilters): string[] | null;
}

const MAC_BYTES = 16;

/** Signs with HMAC-SHA256 (RFC 2104), truncated to 16 bytes. */
export function createCursorCodec(keys: TokenKeys): CursorCodec {
  function sign(
    key: Buffer,
    positionText: Uint8Array,
    scope: string,
    filters: CursorFilters,
  ): Buffer {
    // JSON text has no raw line feed, so the separator is unambiguous.
    const context = JSON.stringify(['cursor', 1, scope, canonical(filters)]);
    const hmac = createHmac('sha256', key).update(`${context}\n`, 'utf8').update(positionText);
    return hmac.digest().subarray(0, MAC_BYTES);
  }

  return {
    encode(position, scope, filters) {
      const text = Buffer.from(JSON.stringify(position), 'utf8');
      return Buffer.concat([sign(keys.current, text, scope, filters), text]).toString('base64url');
    },
    decode(cursor, scope, filters) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Several texts decode to the same bytes; only the canonical one is accepted.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(MAC_BYTES);
      const given = bytes.subarray(0, MAC_BYTES);
      const isOwn = keys.all.some((key) => timingSafeEqual(sign(key, text, scope, filters), given));
      if (!isOwn) return null;
      return readPosition(text.toString('utf8'));
    },
  };
}

function canonical(filters: CursorFilters): [string, string][] {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) entries.push([name, value]);
  }
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

function readPosition(text: string): string[] | null {
  const position: unknown = JSON.parse(text);
  if (!Array.isArray(position)) return null;
  const parts: string[] = [];
  for (const part of position) {
    if (typeof part !== 'string') return null;
    parts.push(part);
  }
  return parts;
}
