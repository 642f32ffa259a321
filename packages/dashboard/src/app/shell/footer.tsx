import { AppShell, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLiveState } from '../live/context.tsx';
import type { LiveState } from '../live/live.ts';
import { useLedger } from '../session/context.ts';
import classes from './footer.module.css';

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
