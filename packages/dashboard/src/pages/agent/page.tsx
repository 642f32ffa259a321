import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { createElement } from 'react';
import { present } from '../../app/search-params.ts';
import { useLedger, useSession } from '../../app/session/context.tsx';
import { RangeBar } from '../../components/day-range.tsx';
import { EmptyState, ErrorPanel } from '../../components/load-states.tsx';
import { Page, PageGate, PrintButton, Section } from '../../components/page.tsx';
import { Reversals } from '../../components/reversals.tsx';
import { Seal } from '../../components/seal.tsx';
import { useSigningKeys } from '../../components/shared-queries.ts';
import { Facts, Hash, Moment, Money } from '../../components/values.tsx';
import { type DayRange, formatRange } from '../../format/dates.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { Backtest } from './backtest.tsx';
import { RowsDrawer } from './figure-rows.tsx';
import { Figures } from './figures.tsx';
import { RunningCost } from './running-cost.tsx';
import { SealButton } from './seal-button.tsx';
import classes from './sentence.module.css';
import { reviewedShareOf, type Statement, sentencesOf } from './statement.ts';
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
      <Reversals pnl={data.pnl} />
      <Waterfall statement={data} />
      <Section title="Figures">
        <Figures statement={data} />
      </Section>
      <Section title="Running cost">
        <RunningCost query={query} />
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

interface SentenceProps {
  readonly agentId: string;
  readonly range: DayRange;
  readonly statement: Statement;
}

/** The whole statement in a sentence or two. */
function Sentence({ agentId, range, statement }: SentenceProps) {
  // Spread as children, which never change their places, so they need no keys.
  const phrases = sentencesOf(statement).map((phrase) =>
    typeof phrase === 'string'
      ? phrase
      : createElement('strong', null, createElement(Money, phrase)),
  );
  const props = { className: classes.sentence, 'data-testid': 'sentence' };
  return createElement('p', props, `${agentId}, ${formatRange(range)}: `, ...phrases);
}

/** What the statement rests on: who made it, of which state of the ledger, and how much of it people reviewed. */
function Basis({ statement: { pnl, exposure } }: { statement: Statement }) {
  const { name } = useSession();
  const current = useSigningKeys().data?.find(({ retired_at }) => retired_at === null);
  const reviewed = reviewedShareOf(pnl);
  return (
    <Section title="Basis of this statement">
      <Facts
        facts={[
          ['Prepared by', name],
          ['Money as of', <Moment key="money" time={pnl.as_of} style="time" />],
          ['Exposure as of', <Moment key="exposure" time={exposure.as_of} style="time" />],
          ['Position in the chain of changes', formatCount(pnl.activity_seq)],
          [
            'Linked money that people reviewed',
            reviewed === null ? 'No money is linked' : formatShare(reviewed, 1),
          ],
          [
            'Fingerprint of the signing key',
            current === undefined ? (
              'No export was signed yet'
            ) : (
              <Hash key="key" value={current.fingerprint} label="the fingerprint" full />
            ),
          ],
        ]}
      />
    </Section>
  );
}

/** Takes the place of the figures, of about their height. */
function StatementSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={58} mt={24} mb={24} />
      <Skeleton height={380} />
      <Skeleton height={420} mt={40} />
    </div>
  );
}
