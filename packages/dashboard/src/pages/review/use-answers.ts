import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { now } from '../../app/clock.ts';
import { useLedger } from '../../app/session/context.ts';
import type { Step } from './answers.ts';
import { applied, type Change, type Today } from './tally.ts';

/** Enough to take back what a person remembers. */
const SHOWN = 50;
/** Other people and tabs answer as well, and not every answer is sent on the stream. */
const REFRESH_MS = 15_000;
/** The number of open events changes by itself while events are scored. */
const SCORING_MS = 2000;

/**
 * What was answered today. The service counts it, so a reload and other tabs show the same; a change is shown at once,
 * until the service has told of it or refused it.
 */
export function useAnswers() {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const start = startOfToday();
  const { data } = useQuery({
    queryKey: ['reviews', 'answers', start],
    queryFn: ({ signal }): Promise<Today> =>
      ledger.reviews.answers({ start, own: true, limit: SHOWN }, { signal }).page(),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.open.is_scoring ? SCORING_MS : REFRESH_MS),
  });
  return {
    /** Undefined until it is known. */
    today: data === undefined ? undefined : changes.reduce(applied, data),
    /** Shows a change while it is made, and what it was before if that fails. */
    async show(step: Step, to: Change['to'], made: Promise<unknown>): Promise<void> {
      const change = { step, to };
      setChanges((known) => [...known, change]);
      try {
        await made;
        await queries.invalidateQueries({ queryKey: ['reviews'] });
      } finally {
        setChanges((known) => known.filter((other) => other !== change));
      }
    },
  };
}

/** By the clock of the reader. */
function startOfToday(): string {
  const date = new Date(now());
  date.setHours(0, 0, 0, 0);
  return date.toISOString();
}
