import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '../../app/live/context.tsx';
import { useLedger } from '../../app/session/context.ts';
import { type FeedItem, itemOf, itemOfDecision, merge } from './feed.ts';

/** A busy ledger sends hundreds of events a second; the lines are drawn again at most this often. */
const DRAW_MS = 1000;
const FIRST_LINES = 12;

/** The newest decisions when the page was opened, and every event since. */
export function useFeed() {
  const ledger = useLedger();
  const [live, setLive] = useState<readonly FeedItem[]>([]);
  const waiting = useRef<readonly FeedItem[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  useLive((event) => {
    const item = itemOf(event);
    if (item === null) return;
    waiting.current = merge([item], waiting.current);
    timer.current ??= setTimeout(() => {
      timer.current = null;
      const newer = waiting.current;
      waiting.current = [];
      setLive((older) => merge(newer, older));
    }, DRAW_MS);
  });
  const { data, error, refetch } = useQuery({
    queryKey: ['feed'],
    queryFn: async ({ signal }) => {
      const { decisions } = await ledger.decisions.list({ limit: FIRST_LINES }, { signal }).page();
      return decisions.map(itemOfDecision);
    },
  });
  return { items: data === undefined ? undefined : merge(live, data), error, refetch };
}
