import type { Review, ReviewQuery } from '@decision-ledger/client/api/review';
import { useInfiniteQuery } from '@tanstack/react-query';
import { present, type ReviewSearch, type Show } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';

const PAGE_REVIEWS = 50;
/** The next page is read when this few events are left. */
const AHEAD = 10;

const QUERIES: Readonly<Record<Show, ReviewQuery>> = {
  suggested: { has_suggestion: true, kind: 'queue' },
  unexplained: { has_suggestion: false, kind: 'queue' },
  audits: { kind: 'audit' },
};

export interface Queue {
  /** In the order of the API. Undefined until the first page is read. */
  readonly reviews: readonly Review[] | undefined;
  readonly error: Error | null;
  /** Whether more follow. */
  readonly hasMore: boolean;
  /** Reads the next page if the event at this index is near the end. */
  reach(index: number): void;
  reload(): Promise<unknown>;
}

/** The events to review. The list stays as it was read, so that it does not jump while a person works. */
export function useQueue({ show, source }: Pick<ReviewSearch, 'show' | 'source'>): Queue {
  const ledger = useLedger();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: ['review-queue', show, source],
      initialPageParam: '',
      queryFn: ({ pageParam, signal }) => {
        const part = show === undefined ? {} : QUERIES[show];
        const cursor = pageParam === '' ? undefined : pageParam;
        const query = { ...part, ...present({ source, cursor }), limit: PAGE_REVIEWS };
        return ledger.reviews.list(query, { signal }).page();
      },
      getNextPageParam: ({ next_cursor }) => next_cursor,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: 'always',
    },
  );
  const reviews = data?.pages.flatMap((page) => page.reviews);
  return {
    reviews,
    error,
    hasMore: hasNextPage,
    reach(index) {
      const isNear = reviews !== undefined && index >= reviews.length - AHEAD;
      if (isNear && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    reload: refetch,
  };
}
