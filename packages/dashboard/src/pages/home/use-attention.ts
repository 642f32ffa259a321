import type { AttributionQuality } from '@decision-ledger/client/api/analytics-quality';
import type { ReviewPage } from '@decision-ledger/client/api/review';
import { useQuery } from '@tanstack/react-query';
import { useCan, useLedger } from '../../app/session/context.ts';
import { openReviewsOf } from '../../components/open-reviews.ts';

type Month = AttributionQuality['by_month'][number];
type Drift = Month['drift'][number] & { readonly month: string };

/** What waits for a person. Null: the person may not see it, or it is not known. */
export interface Attention {
  readonly reviews: ReviewPage['open'] | null;
  readonly deadJobs: number | null;
  readonly exportsReady: number | null;
  /** Of the newest month. */
  readonly drifts: readonly Drift[];
  /** Whether the label `matched` is withdrawn. */
  readonly isWithdrawn: boolean;
  /** What could not be read. */
  readonly failed: readonly string[];
}

const COUNTED = 100;

/** Undefined until all of it is known, so that the list does not jump. */
export function useAttention(): Attention | undefined {
  const ledger = useLedger();
  const isAdmin = useCan('admin');
  const mayExport = useCan('export');
  const reviews = useQuery(openReviewsOf(ledger));
  const jobs = useQuery({
    queryKey: ['jobs', 'dead', 'count'],
    queryFn: async ({ signal }) =>
      (await ledger.operations.deadJobs({ limit: COUNTED }, { signal }).page()).jobs.length,
    enabled: isAdmin,
  });
  const ready = useQuery({
    queryKey: ['exports', 'ready'],
    queryFn: async ({ signal }) =>
      (await ledger.exports.list({ status: 'complete', limit: COUNTED }, { signal }).page()).exports
        .length,
    enabled: mayExport,
  });
  const quality = useQuery({
    queryKey: ['quality'],
    queryFn: ({ signal }) => ledger.analytics.attributionQuality({}, { signal }),
  });
  const parts = { 'open reviews': reviews, 'failed jobs': jobs, exports: ready, drift: quality };
  if (Object.values(parts).some(({ isLoading }) => isLoading)) return undefined;
  return {
    reviews: reviews.data ?? null,
    deadJobs: jobs.data ?? null,
    exportsReady: ready.data ?? null,
    drifts: driftsOf(quality.data?.by_month.at(-1)),
    isWithdrawn: quality.data?.label.state === 'withdrawn',
    failed: Object.entries(parts).flatMap(([name, { error }]) => (error === null ? [] : [name])),
  };
}

function driftsOf(newest: Month | undefined): readonly Drift[] {
  if (newest === undefined) return [];
  const { month, drift } = newest;
  return drift.filter(({ state }) => state === 'drifted').map((found) => ({ ...found, month }));
}
