import { Button, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';
import { RangeBar } from '../../components/day-range.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Page, PageGate, PrintButton } from '../../components/page.tsx';
import { CsvButton, type CsvTable, loadWith } from '../../components/rows.tsx';
import { formatCount } from '../../format/numbers.ts';
import { type Agent, selectAgents } from './order.ts';
import { AgentTable } from './table.tsx';

const route = getRouteApi('/shell/agents');

/** Agents that are read and shown at first, and on request: those with the largest exposure come first. */
const PAGE_ROWS = 500;
const NO_CURSOR: string | undefined = undefined;

const CSV: CsvTable<Agent & { readonly currency: string }> = {
  name: 'agents',
  columns: {
    agent_id: ({ agent_id }) => agent_id,
    net: ({ net }) => ({ decimal: net }),
    revenue: ({ revenue }) => ({ decimal: revenue }),
    losses: ({ losses }) => ({ decimal: losses }),
    guessed_net: ({ guessed }) => ({ decimal: guessed.net }),
    exposure: ({ exposure }) => exposure && { decimal: exposure },
    currency: ({ currency }) => currency,
    decisions: ({ decisions }) => decisions,
    mean_confidence: ({ mean_confidence }) => mean_confidence,
    human_review_share: ({ human_review_share }) => human_review_share,
  },
};

export function AgentsPage() {
  const search = route.useSearch();
  const { from, to, name } = search;
  const navigate = route.useNavigate();
  return (
    <Page title="Agents" description="Figures" scope={{ from, to, name }} actions={<PrintButton />}>
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
          value={name ?? ''}
          onChange={({ currentTarget }) =>
            void navigate({
              search: { ...search, name: currentTarget.value || undefined },
              replace: true,
              resetScroll: false,
            })
          }
          wrapperProps={{ 'data-screen-only': true }}
        />
        <Loaded />
      </PageGate>
    </Page>
  );
}

function Loaded() {
  const ledger = useLedger();
  const search = route.useSearch();
  const query = present({ start: search.from, end: search.to });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: ['figures', 'agents', query],
      queryFn: ({ signal, pageParam }) =>
        ledger.analytics
          .agents({ ...query, ...present({ cursor: pageParam }), limit: PAGE_ROWS }, { signal })
          .page(),
      initialPageParam: NO_CURSOR,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    },
  );
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton />;
  const all = data.pages.flatMap((page) => page.agents);
  if (all.length === 0) return <NoAgents isRange={Object.keys(query).length > 0} />;
  const agents = selectAgents(all, search);
  if (agents.length === 0) return <Text c="dimmed">No agent has “{search.name}” in its name.</Text>;
  return (
    <>
      <CsvButton
        label="Agents"
        table={CSV}
        load={loadWith(
          (wanted, options) => ledger.analytics.agents({ ...query, ...wanted }, options),
          ({ agents: found, currency }) =>
            selectAgents(found, { name: search.name }).map((agent) => ({ ...agent, currency })),
        )}
      />
      <AgentTable agents={agents} currency={data.pages[0]?.currency ?? ''} search={search} />
      <Text c="dimmed" size="sm" mt="xs">
        Figures are rounded so that all agents add up to the total; in a statement, the parts of one
        agent do. The two may differ by a minor unit.
        {hasNextPage &&
          ` The ${formatCount(all.length)} agents with the largest exposure are shown and searched.`}
      </Text>
      {hasNextPage && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          data-screen-only
        >
          Show more
        </Button>
      )}
    </>
  );
}

function NoAgents({ isRange }: { isRange: boolean }) {
  if (isRange) {
    return (
      <EmptyState title="Nothing in this range">
        No agent made a decision in this range, and no money is linked to one. Choose another range.
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
