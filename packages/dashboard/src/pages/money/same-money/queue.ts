import type { SameMoneyPage } from '@decision-ledger/client/api/financial-event';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { present } from '../../../app/search-params.ts';
import { useLedger } from '../../../app/session/context.tsx';

const PAGE_REPORTS = 50;
/** The next page is read when this few events are left. */
const AHEAD = 10;

export type Doubtful = SameMoneyPage['reports'][number];
export type Possible = Doubtful['possible'][number];

/** The events in doubt. The list is read again after an answer, which may settle others. */
export function useDoubts() {
  const ledger = useLedger();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: ['same-money-queue'],
      initialPageParam: '',
      queryFn: ({ pageParam, signal }) => {
        const cursor = pageParam === '' ? undefined : pageParam;
        const query = { ...present({ cursor }), limit: PAGE_REPORTS };
        return ledger.events.sameMoney(query, { signal }).page();
      },
      getNextPageParam: ({ next_cursor }) => next_cursor,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: 'always',
    },
  );
  const listOf = (pages: typeof data) =>
    pages?.pages.flatMap(({ reports }) => reports.filter(({ possible }) => possible.length > 0));
  const reports = listOf(data);
  return {
    /** Undefined until the first page is read. */
    reports,
    error,
    /** Reads the next page if the event at this index is near the end. */
    reach(index: number): void {
      const isNear = reports !== undefined && index >= reports.length - AHEAD;
      if (isNear && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    /** @returns the list as it is now */
    reload: async () => listOf((await refetch()).data) ?? [],
  };
}

/** What an answer is about: two events, or of a sum those that are paired if it is the same money. */
export function aboutOf(
  { report }: Doubtful,
  { financial_event, sum }: Possible,
  verdict: Verdict,
): readonly [string, ...string[]] {
  const [first, ...others] = sum?.reports ?? [];
  if (verdict === 'same' && first !== undefined) return [first, ...others];
  return [report.id, financial_event.id];
}

type Reload = () => Promise<readonly Doubtful[]>;

export type Verdict = 'same' | 'different';

/** An answer that was given. */
export interface Step {
  /** The event that was in view. */
  readonly report: string;
  /** What was said to be the same money, or not: the first and each other one. */
  readonly about: readonly [string, ...string[]];
  readonly verdict: Verdict;
  /** Whether the rules were certain of what was left, and paired it. */
  readonly isSettled: boolean;
}

/**
 * Gives and takes back one answer at a time.
 * @param reload reads the list again
 */
export function useSaying(reload: Reload) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [failure, setFailure] = useState<Error | null>(null);
  const isBusy = useRef(false);
  const [isPending, setPending] = useState(false);
  const once = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setPending(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setFailure(error);
    } finally {
      isBusy.current = false;
      setPending(false);
      for (const name of ['same-money', 'figures', 'reviews', 'event', 'decision']) {
        void queries.invalidateQueries({ queryKey: [name] });
      }
    }
  };
  const last = steps.at(-1);
  return {
    /** Undefined before the first answer, and once all are taken back. */
    last,
    isPending,
    failure,
    /** @param then what follows, with the list as it is then */
    say: (step: Omit<Step, 'isSettled'>, then: (left: readonly Doubtful[]) => void) =>
      once(async () => {
        const { about, verdict } = step;
        const [one, ...others] = about;
        const movement =
          verdict === 'same'
            ? await ledger.events.pair(one, others)
            : await ledger.events.part(one, others[0]);
        const isSettled = verdict === 'different' && movement.reports.length > 1;
        const left = await reload();
        // Said only now, because until now it cannot be undone.
        setSteps((known) => [...known, { ...step, isSettled }]);
        then(left);
      }),
    undo: (then: (report: string) => void) =>
      once(async () => {
        if (last === undefined) return;
        const [one, ...others] = last.about;
        await ledger.events.withdrawSameMoney(one, others);
        setSteps((known) => known.filter((step) => step !== last));
        await reload();
        then(last.report);
      }),
  };
}
