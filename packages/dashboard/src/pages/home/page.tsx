import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { PageGate } from '../../components/gate.tsx';
import { Page } from '../../components/page.tsx';
import { Seal } from '../../components/seal.tsx';
import { NeedsAttention } from './attention.tsx';
import { Exposure, NetImpact } from './figures.tsx';
import classes from './home.module.css';
import { LiveFeed } from './live-feed.tsx';

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
