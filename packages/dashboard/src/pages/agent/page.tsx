import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { PageGate } from '../../components/gate.tsx';
import { Page, Section } from '../../components/page.tsx';
import { PrintButton } from '../../components/print-button.tsx';
import { RangeBar } from '../../components/range-bar.tsx';
import { Seal } from '../../components/seal.tsx';
import { Backtest } from './backtest.tsx';
import { Basis } from './basis.tsx';
import { Figures } from './figures.tsx';
import { RowsDrawer } from './rows-drawer.tsx';
import { SealButton } from './seal-button.tsx';
import { Sentence } from './sentence.tsx';
import type { Statement } from './statement.ts';
import { StatementSkeleton } from './statement-skeleton.tsx';
import { Waterfall } from './waterfall.tsx';

const route = getRouteApi('/shell/agents/$agentId');

export function AgentPage() {
  const { agentId } = route.useParams();
  const { from, to } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={agentId} description="Statement" scope={{ from, to }} actions={<PrintButton />}>
      <PageGate permission="read">
        <RangeBar
          range={{ from, to }}
          onChange={(range) => void navigate({ search: range, resetScroll: false })}
        />
        <Seal>
          <SealButton key={`${from}/${to}`} agentId={agentId} range={{ from, to }} />
        </Seal>
        <Figured key={agentId} />
        <Backtest agentId={agentId} />
        <RowsDrawer agentId={agentId} />
      </PageGate>
    </Page>
  );
}

/** The parts that are figures of the agent in the range. */
function Figured() {
  const ledger = useLedger();
  const { agentId } = route.useParams();
  const { from, to } = route.useSearch();
  const query = { agent_id: agentId, ...present({ start: from, end: to }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['figures', 'statement', query],
    queryFn: async ({ signal }): Promise<Statement> => {
      const [pnl, exposure] = await Promise.all([
        ledger.analytics.pnl(query, { signal }),
        ledger.analytics.liability(query, { signal }),
      ]);
      return { pnl, exposure };
    },
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <StatementSkeleton />;
  if (data.pnl.decisions === 0 && data.pnl.by_month.length === 0) {
    return <NoFigures agentId={agentId} isRange={from !== undefined || to !== undefined} />;
  }
  return (
    <>
      <Sentence agentId={agentId} range={{ from, to }} statement={data} />
      <Waterfall statement={data} />
      <Section title="Figures">
        <Figures statement={data} />
      </Section>
      <Basis statement={data} />
    </>
  );
}

function NoFigures({ agentId, isRange }: { agentId: string; isRange: boolean }) {
  if (isRange) {
    return (
      <EmptyState title="Nothing in this range">
        The agent {agentId} decided nothing in these days, and no money is linked to it. Choose
        another range.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="This agent has no decisions"
      request={{
        method: 'POST',
        path: '/api/v1/decisions',
        body: {
          ...{ agent_id: agentId, action_type: 'refund', inputs: { order: 'A-1041' } },
          ...{ outputs: { approved: true, amount: '49.00', currency: 'EUR' }, confidence: 0.93 },
        },
      }}
    >
      <Text component="span">
        A statement begins with the first decision that the agent records under this name.
      </Text>
    </EmptyState>
  );
}
