import type { Ledger } from '@decision-ledger/client';
import type { SigningKey } from '@decision-ledger/client/api/export';
import type { SameMoneyPage } from '@decision-ledger/client/api/financial-event';
import type { ReviewPage } from '@decision-ledger/client/api/review';
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useCan, useLedger } from '../app/session/context.tsx';

const OPEN_REVIEWS_KEY = ['reviews', 'open'] as const;

/** The number changes without an event of the stream when events without a suggestion are scored. */
const SCORING_MS = 2000;

/** How many events wait for a review, and their sum. */
export function openReviewsOf(ledger: Ledger) {
  return queryOptions({
    queryKey: OPEN_REVIEWS_KEY,
    queryFn: async ({ signal }): Promise<ReviewPage['open']> =>
      (await ledger.reviews.list({ limit: 1 }, { signal }).page()).open,
    refetchInterval: ({ state }) => state.data?.is_scoring === true && SCORING_MS,
  });
}

/** The same; undefined until it is known, or if it may not be. */
export function useOpenReviews(): ReviewPage['open'] | undefined {
  const enabled = useCan('read');
  return useQuery({ ...openReviewsOf(useLedger()), enabled }).data;
}

/** Which events are in doubt is found out after they are recorded, and is not announced. */
const DOUBTING_MS = 30_000;

/** How many events may report the same money as others, and their sums. */
export function openDoubtsOf(ledger: Ledger) {
  return queryOptions({
    queryKey: ['same-money', 'open'],
    queryFn: async ({ signal }): Promise<Pick<SameMoneyPage, 'open' | 'open_amounts'>> =>
      ledger.events.sameMoney({ limit: 1 }, { signal }).page(),
    refetchInterval: DOUBTING_MS,
  });
}

/** All signing keys, the newest first. The first export makes one, hence the name of the query. */
export function useSigningKeys(): UseQueryResult<readonly SigningKey[]> {
  const ledger = useLedger();
  return useQuery({
    queryKey: ['exports', 'signing-keys'],
    queryFn: ({ signal }) => ledger.operations.signingKeys({}, { signal }).toArray(100),
  });
}
