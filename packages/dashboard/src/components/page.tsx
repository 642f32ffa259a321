import { Button, Group, Text, Title } from '@mantine/core';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { now } from '../app/clock.ts';
import { type Permission, useCan, useMe, useMeQuery, useSession } from '../app/session/context.tsx';
import { formatDate, formatScope, type Scope } from '../format/dates.ts';
import { Icon } from './icon.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from './load-states.tsx';
import classes from './page.module.css';

interface PageProps {
  /** Also the title of the browser's tab. */
  readonly title: string;
  readonly description?: ReactNode;
  /** What selects the content. It is named below the title, on paper too. */
  readonly scope?: Scope;
  /** Buttons, at the right of the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** The frame of a page: its title, its actions, and what is printed above them. */
export function Page({ title, description, scope, actions, children }: PageProps) {
  const { mode } = useSession();
  return (
    <>
      <title>{`${mode === 'test' ? '[Test] ' : ''}${title} · Decision Ledger`}</title>
      <PrintHeader />
      <Group justify="space-between" align="flex-start" className={classes.head} gap="sm">
        <div className={classes.titles}>
          <Title order={1}>{title}</Title>
          <Text c="dimmed" className={classes.description ?? ''}>
            {description}
            {description !== undefined && scope !== undefined && ': '}
            {scope !== undefined && <span data-testid="scope">{formatScope(scope)}</span>}
          </Text>
        </div>
        {actions !== undefined && (
          <Group gap="xs" data-screen-only>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </>
  );
}

/** On paper, a page says whose it is, who printed it and when. */
function PrintHeader() {
  const me = useMe();
  const { mode, name } = useSession();
  return (
    <div data-print-only className={classes.print}>
      <span>
        Decision Ledger · {me?.organisation.name} · {mode === 'test' ? 'TEST DATA' : 'live'}
      </span>
      <span>
        Prepared by {name}, printed {formatDate(new Date(now()).toISOString(), 'moment')}
      </span>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  /** What the content counts, if that is not the scope of the page. */
  readonly ownScope?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, under a heading. */
export function Section({ title, ownScope, actions, children }: SectionProps) {
  return (
    <section className={classes.section} data-own-scope={ownScope}>
      <Group justify="space-between" className={classes.sectionHead}>
        <Title order={2}>
          {title}
          {ownScope !== undefined && <span className={classes.ownScope}>{ownScope}</span>}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </section>
  );
}

interface GateProps {
  readonly permission: Permission;
  readonly children: ReactNode;
}

/** Shows its content to those who have the permission: nobody is offered what would be refused. */
export function Gate({ permission, children }: GateProps) {
  return useCan(permission) ? children : null;
}

/** Around the content of a page that nobody can use without the permission. */
export function PageGate({ permission, children }: GateProps) {
  const { data: me, error, refetch } = useMeQuery();
  if (me === undefined && error !== null) {
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  }
  if (me === undefined) return <LinesSkeleton />;
  if (me.permissions.includes(permission)) return children;
  return (
    <EmptyState title="Your key does not allow this">
      This page needs a key with the permission {permission}. Yours has {me.permissions.join(', ')}.
    </EmptyState>
  );
}

/** Prints the page as a statement, once everything on it is known. */
export function PrintButton() {
  const isComplete = useIsComplete();
  return (
    <Button
      variant="default"
      size="xs"
      disabled={!isComplete}
      leftSection={<Icon name="print" />}
      onClick={() => window.print()}
    >
      Print
    </Button>
  );
}

/** Whether everything in view is known: no query of the page waits for its first answer. */
function useIsComplete(): boolean {
  const queries = useQueryClient().getQueryCache();
  const isOpening = useRouterState({ select: ({ status }) => status === 'pending' });
  const isWaiting = useSyncExternalStore(
    useCallback((onChange) => queries.subscribe(notifyManager.batchCalls(onChange)), [queries]),
    () =>
      queries
        .findAll({ type: 'active' })
        .some(({ state }) => state.status === 'pending' && state.fetchStatus !== 'idle'),
  );
  return !isOpening && !isWaiting;
}

/** Content that is printed when it is complete. Until then, paper says why it is empty. */
export function CompleteOnPaper({ children }: { children: ReactNode }) {
  const isComplete = useIsComplete();
  return (
    <>
      {!isComplete && (
        <p data-print-only data-testid="not-printed">
          This page was not complete when it was printed, so nothing of it is shown. Wait until all
          figures are loaded, and print it again.
        </p>
      )}
      <div className={isComplete ? undefined : classes.incomplete}>{children}</div>
    </>
  );
}
