import { AppShell, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Count } from '../../components/count.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { OpenDoubts } from '../../components/open-doubts.tsx';
import { useOpenReviews } from '../../components/shared-queries.ts';
import { type LiveState, useLiveState } from '../live.tsx';
import { useCan, useLedger } from '../session/context.tsx';
import classes from './navbar.module.css';

interface Entry {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly icon: IconName;
  readonly badge?: ComponentType;
}

/** The pages, in the order of the menu. */
export const ENTRIES = [
  { to: '/', label: 'Home', icon: 'home' },
  { to: '/agents', label: 'Agents', icon: 'agents' },
  { to: '/decisions', label: 'Decisions', icon: 'decisions' },
  { to: '/review', label: 'Review', icon: 'review', badge: OpenReviews },
  { to: '/money', label: 'Money', icon: 'money', badge: OpenDoubts },
  { to: '/exposure', label: 'Exposure', icon: 'exposure' },
  { to: '/evidence', label: 'Evidence', icon: 'evidence' },
  { to: '/activity', label: 'Activity', icon: 'activity' },
  { to: '/settings', label: 'Settings', icon: 'settings', badge: DeadJobs },
] as const satisfies readonly Entry[];

export function Navigation() {
  return (
    <AppShell.Section grow component="nav" aria-label="Pages" className={classes.list}>
      {ENTRIES.map((entry: Entry) => (
        <Link
          key={entry.label}
          to={entry.to}
          className={classes.link}
          activeOptions={{ exact: entry.to === '/', includeSearch: false }}
        >
          <Icon name={entry.icon} />
          <span>{entry.label}</span>
          {entry.badge !== undefined && <entry.badge />}
        </Link>
      ))}
    </AppShell.Section>
  );
}

/** How many events wait for a review. */
function OpenReviews() {
  const open = useOpenReviews();
  if (open === undefined || open.reviews === 0) return null;
  return <Count count={open.reviews} label="open reviews" />;
}

/** Whether background work has failed for good. */
function DeadJobs() {
  const ledger = useLedger();
  const isAdmin = useCan('admin');
  const { data } = useQuery({
    queryKey: ['jobs', 'dead', 'count'],
    queryFn: async ({ signal }) =>
      (await ledger.operations.deadJobs({ limit: 100 }, { signal }).page()).jobs.length,
    enabled: isAdmin,
    refetchInterval: 60_000,
  });
  if (data === undefined || data === 0) return null;
  return <Count count={data} label="failed background jobs" color="red" />;
}

const STATES: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  // Not “Live”, which is the name of a mode.
  live: 'Connected',
  lost: 'Connection lost',
  off: 'No live updates',
};

/** The version of the service, which is that of the dashboard, and the state of the live stream. */
export function Footer() {
  const ledger = useLedger();
  const state = useLiveState();
  const { data } = useQuery({
    queryKey: ['version'],
    queryFn: ({ signal }) => ledger.operations.version({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AppShell.Section component="footer" className={classes.footer}>
      <div className={classes.state} data-state={state}>
        <span className={classes.dot} aria-hidden="true" />
        <span role="status">{STATES[state]}</span>
      </div>
      <Text size="xs" c="dimmed" mih={18}>
        {data !== undefined && `Version ${data.version} · API ${data.interface}`}
      </Text>
    </AppShell.Section>
  );
}
