import { Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { PageGate } from '../../components/gate.tsx';
import { Page } from '../../components/page.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { PrintButton } from '../../components/print-button.tsx';
import { RangeBar } from '../../components/range-bar.tsx';
import { formatCount } from '../../format/numbers.ts';
import { formatRange } from '../../format/range.ts';
import { selectAgents } from './order.ts';
import { AgentTable } from './table.tsx';

const route = getRouteApi('/shell/agents');

/** Agents that are read and shown at first, and on request: those with the largest exposure come first. */
const SHOWN = 1000;
const PAGE_ROWS = 500;

export function AgentsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Agents"
      description={`Figures of ${formatRange(search)}`}
      actions={<PrintButton />}
    >
      <PageGate permission="read">
        <RangeBar
          range={search}
          onChange={({ from, to }) =>
            void navigate({ search: { ...search, from, to }, resetScroll: false })
          }
        />
        <TextInput
          size="xs"
          maw={260}
          mb="sm"
          label="Find an agent"
          placeholder="Part of a name"
          value={search.name ?? ''}
          onChange={({ currentTarget }) =>
            void navigate({
              search: { ...search, name: currentTarget.value || undefined },
              replace: true,
              resetScroll: false,
            })
          }
          data-screen-only
        />
        <Loaded />
      </PageGate>
    </Page>
  );
}

function Loaded() {
  const ledger = useLedger();
  const search = route.useSearch();
  const [shown, setShown] = useState(SHOWN);
  const query = present({ start: search.from, end: search.to });
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['figures', 'agents', query, shown],
    queryFn: async ({ signal }) => {
      const list = ledger.analytics.agents({ ...query, limit: PAGE_ROWS }, { signal });
      const { currency } = await list.page();
      return { currency, agents: await list.toArray(shown) };
    },
    placeholderData: (former) => former,
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton />;
  if (data.agents.length === 0) return <NoAgents isRange={Object.keys(query).length > 0} />;
  const agents = selectAgents(data.agents, search);
  if (agents.length === 0) return <Text c="dimmed">No agent has “{search.name}” in its name.</Text>;
  return (
    <>
      <AgentTable agents={agents} currency={data.currency} search={search} />
      <Text c="dimmed" size="sm" mt="xs">
        Figures are rounded so that all agents add up to the total; in a statement, the parts of one
        agent do. The two may differ by a minor unit.
        {data.agents.length >= shown &&
          ` The ${formatCount(shown)} agents with the largest exposure are shown and searched.`}
      </Text>
      {data.agents.length >= shown && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          loading={isPlaceholderData}
          onClick={() => setShown(shown + SHOWN)}
          data-screen-only
        >
          Show {formatCount(SHOWN)} more
        </Button>
      )}
    </>
  );
}

function NoAgents({ isRange }: { isRange: boolean }) {
  if (isRange) {
    return (
      <EmptyState title="Nothing in this range">
        No agent decided anything in these days, and no money is linked to one. Choose another
        range.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No agent has recorded a decision"
      request={{
        method: 'POST',
        path: '/api/v1/decisions',
        body: {
          ...{ agent_id: 'refund-bot', action_type: 'refund', inputs: { order: 'A-1041' } },
          ...{ outputs: { approved: true, amount: '49.00', currency: 'EUR' }, confidence: 0.93 },
        },
      }}
    >
      An agent appears here with its first decision: name it in agent_id.
    </EmptyState>
  );
}
