import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { present } from '../../app/search-params.ts';

/** One page of a list. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** A request for one page. */
interface PageRequest {
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type LoadRows<Row> = (request: PageRequest) => Promise<RowPage<Row>>;

/** The source of a list that is read by cursors. */
export interface RowSource<Row> {
  /** The key of its queries: everything that decides which rows it has. */
  readonly queryKey: readonly unknown[];
  readonly load: LoadRows<Row>;
}

/** A list of the client. */
export type ListCall<Page> = (
  query: { readonly cursor?: string; readonly limit?: number },
  options: { readonly signal: AbortSignal },
) => { page(): Promise<Page> };

/**
 * Reads the rows of a list of the API.
 * @param rowsOf the rows of a page
 */
export function loadWith<Page extends { readonly next_cursor: string | null }, Row>(
  list: ListCall<Page>,
  rowsOf: (page: Page) => readonly Row[] | Promise<readonly Row[]>,
): LoadRows<Row> {
  return async ({ signal, ...wanted }) => {
    const page = await list(present(wanted), { signal }).page();
    return { rows: await rowsOf(page), next: page.next_cursor };
  };
}

/** Where a page is: its cursor, the place of its first row, and its length once it is known. */
interface Place {
  readonly cursor: string | undefined;
  readonly start: number;
  readonly length: number | null;
}

const FIRST: Place = { cursor: undefined, start: 0, length: null };
/** The first page is short, so that it shows soon; later ones are read well before they come into view. */
const FIRST_ROWS = 100;
const MORE_ROWS = 200;
/** Rows that are no longer in view are forgotten after this time, so that memory stays bounded. */
const KEPT_MS = 30_000;

export interface Rows<Row> {
  /** Rows up to the end of the last page that was reached. */
  readonly count: number;
  readonly isComplete: boolean;
  readonly isFirstPending: boolean;
  readonly error: Error | null;
  /** Undefined while its page is loaded. */
  row(index: number): Row | undefined;
  retry(): void;
}

/**
 * The rows of a list around those in view. Only the cursors of all pages that were reached are kept; the
 * rows themselves are read again when they come back into view.
 */
export function useRows<Row>(source: RowSource<Row>, first: number, last: number): Rows<Row> {
  const { queryKey, load } = source;
  const [places, learn] = usePlaces(queryKey);
  const inView = places.filter(
    ({ start, length }) => start <= last && (length === null || start + length > first),
  );
  const results = useQueries({
    queries: inView.map(({ cursor }) => ({
      queryKey: [...queryKey, 'page', cursor],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        load({ cursor, signal, limit: cursor === undefined ? FIRST_ROWS : MORE_ROWS }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: KEPT_MS,
    })),
  });
  const newest = inView.at(-1);
  const page = results.at(-1)?.data;
  useEffect(() => {
    if (newest?.length === null && page !== undefined) learn(newest, page.rows.length, page.next);
  }, [newest, page, learn]);
  const end = places.at(-1) ?? FIRST;
  const failed = results.find(({ error }) => error !== null);
  return {
    count: end.start + (end.length ?? 0),
    isComplete: end.length !== null,
    isFirstPending: end === places[0] && results[0]?.isPending === true,
    error: failed?.error ?? null,
    row(index) {
      const at = inView.findIndex(
        ({ start, length }) => index >= start && (length === null || index < start + length),
      );
      const place = inView[at];
      return place === undefined ? undefined : results[at]?.data?.rows[index - place.start];
    },
    retry: () => void failed?.refetch(),
  };
}

/** The places of the pages, which outlive the component: the way back finds the list as it was. */
function usePlaces(queryKey: readonly unknown[]) {
  const client = useQueryClient();
  const [places, setPlaces] = useState<readonly Place[]>(
    () => client.getQueryData<readonly Place[]>([...queryKey, 'places']) ?? [FIRST],
  );
  const learn = useCallback((place: Place, length: number, next: string | null) => {
    setPlaces((known) => {
      if (known.at(-1) !== place) return known;
      const { start, cursor } = place;
      const done = { start, cursor, length };
      const more = { cursor: next ?? undefined, start: start + length, length: null };
      return [...known.slice(0, -1), done, ...(next === null ? [] : [more])];
    });
  }, []);
  useEffect(() => {
    client.setQueryData([...queryKey, 'places'], places);
  });
  return [places, learn] as const;
}
