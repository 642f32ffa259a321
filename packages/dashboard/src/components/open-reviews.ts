import type { Ledger } from '@decision-ledger/client';
import type { ReviewPage } from '@decision-ledger/client/api/review';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCan, useLedger } from '../app/session/context.ts';

/** How many events wait for a review, and their sum. */
export function openReviewsOf(ledger: Ledger) {
  return queryOptions({
    queryKey: ['reviews', 'open'],
    queryFn: async ({ signal }) =>
      (await ledger.reviews.list({ limit: 1 }, { signal }).page()).open,
  });
}

/** The same; undefined until it is known, or if it may not be. */
export function useOpenReviews(): ReviewPage['open'] | undefined {
  const enabled = useCan('read');
  return useQuery({ ...openReviewsOf(useLedger()), enabled }).data;
}
