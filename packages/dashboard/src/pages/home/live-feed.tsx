import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLiveState } from '../../app/live/context.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { Section } from '../../components/page.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import type { FeedItem, FeedTarget } from './feed.ts';
import classes from './home.module.css';
import { useFeed } from './use-feed.ts';

/** What happens in the ledger, newest first. */
export function LiveFeed() {
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
