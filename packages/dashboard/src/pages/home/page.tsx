import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLive, useLiveState } from '../../app/live.tsx';
import { useLedger } from '../../app/session/context.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Page, PageGate, Section } from '../../components/page.tsx';
import { Seal } from '../../components/seal.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { NeedsAttention } from './attention.tsx';
import { type FeedItem, type FeedTarget, itemOf, itemOfDecision, merge } from './feed.ts';
import { Exposure, NetImpact } from './figures.tsx';
import classes from './home.module.css';

export function HomePage() {
  return (
    <Page title="Home">
      <PageGate permission="read">
        <Summary />
        <Seal />
        <div className={classes.columns}>
          <NeedsAttention />
          <LiveFeed />
        </div>
      </PageGate>
    </Page>
  );
}

function Summary() {
  const ledger = useLedger();
  const pnl = useQuery({
    queryKey: ['figures', 'pnl', {}],
    queryFn: ({ signal }) => ledger.analytics.pnl({}, { signal }),
  });
  const exposure = useQuery({
    queryKey: ['figures', 'exposure', { top: 1 }],
    queryFn: ({ signal }) => ledger.analytics.liability({ top: 1 }, { signal }),
  });
  if (pnl.data?.decisions === 0 && pnl.data.by_month.length === 0) return <NoDecisions />;
  return (
    <div className={classes.panels}>
      {pnl.data !== undefined && <NetImpact pnl={pnl.data} />}
      <Instead query={pnl} />
      {exposure.data !== undefined && <Exposure exposure={exposure.data} />}
      <Instead query={exposure} />
    </div>
  );
}

interface InsteadProps {
  readonly query: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly refetch: () => Promise<unknown>;
  };
}

/** In place of a panel that is not known. */
function Instead({ query: { data, error, refetch } }: InsteadProps) {
  if (data !== undefined) return null;
  if (error === null) return <Skeleton height={210} />;
  return <ErrorPanel error={error} onRetry={() => void refetch()} />;
}

function NoDecisions() {
  return (
    <EmptyState
      title="Record the first decision"
      request={{
        method: 'POST',
        path: '/api/v1/decisions',
        body: {
          ...{ agent_id: 'refund-bot', action_type: 'refund', inputs: { order: 'A-1041' } },
          ...{ outputs: { approved: true, amount: '49.00', currency: 'EUR' }, confidence: 0.93 },
        },
      }}
    >
      This page shows what your agents earned, what their decisions may still cost, and what needs a
      person. It begins with the first decision; send it with this request, and watch it arrive
      below.
    </EmptyState>
  );
}

/** What happens in the ledger, newest first. */
function LiveFeed() {
  const { items, error, refetch } = useFeed();
  const state = useLiveState();
  return (
    <Section title={state === 'live' ? 'Happening now' : 'Newest'}>
      {state === 'off' && (
        <Text size="sm" c="dimmed" mb="xs">
          Your key does not allow live updates. Reload the page to see what is new.
        </Text>
      )}
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {items === undefined && error === null && <LinesSkeleton />}
      <ol className={classes.feed} aria-label="Newest events">
        {items?.map((item) => (
          <Line key={item.key} item={item} />
        ))}
      </ol>
    </Section>
  );
}

function Line({ item: { time, kind, text, money, target } }: { item: FeedItem }) {
  return (
    <li className={classes.line}>
      <Text size="xs" c="dimmed" component="span" className={classes.kind}>
        {kind}
      </Text>
      <span className={classes.text}>
        {target === null ? text : <Target target={target}>{text}</Target>}
      </span>
      {money !== null && <Money {...money} />}
      <Text size="xs" c="dimmed" component="span" className={classes.time}>
        <Moment time={time} />
      </Text>
    </li>
  );
}

function Target({ target, children }: { target: FeedTarget; children: ReactNode }) {
  return (
    <Anchor
      renderRoot={(props) => {
        switch (target.page) {
          case 'decision':
            return (
              <Link to="/decisions/$decisionId" params={{ decisionId: target.id }} {...props} />
            );
          case 'event':
            return <Link to="/money" search={{ event: target.id }} {...props} />;
          case 'evidence':
            return <Link to="/evidence" {...props} />;
        }
      }}
    >
      {children}
    </Anchor>
  );
}

/** A busy ledger sends hundreds of events a second; the lines are drawn again at most this often. */
const DRAW_MS = 1000;
const FIRST_LINES = 12;

/** The newest decisions when the page was opened, and every event since. */
function useFeed() {
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
