import type { ReviewPage } from '@decision-ledger/client/api/review';
import { useQuery } from '@tanstack/react-query';
import { useCan, useLedger } from '../app/session/context.ts';

/** How many events wait for a review, and their sum. Undefined until it is known, or if it may not be. */
export function useOpenReviews(): ReviewPage['open'] | undefined {
  const ledger = useLedger();
  const canRead = useCan('read');
  return useQuery({
    queryKey: ['reviews', 'open'],
    queryFn: async ({ signal }) =>
      (await ledger.reviews.list({ limit: 1 }, { signal }).page()).open,
    enabled: canRead,
  }).data;
}
