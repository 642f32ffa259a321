import type { ExposureAnalysis, ExposureQuery } from '@decision-ledger/client/api/exposure';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Gate, PageGate } from '../../components/gate.tsx';
import { Page, Section } from '../../components/page.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { PrintButton } from '../../components/print-button.tsx';
import { ActionTypes } from './action-types.tsx';
import { BackTest } from './back-test.tsx';
import { ExposureFilters } from './filters.tsx';
import { MatrixEditor } from './matrix/editor.tsx';
import { isFiltered } from './search.ts';
import { Summary } from './summary.tsx';
import { TopDecisions } from './top-decisions.tsx';
import { Trend } from './trend.tsx';

const route = getRouteApi('/shell/exposure');
const TOP = 10;

export function ExposurePage() {
  const search = route.useSearch();
  return (
    <Page
      title="Exposure"
      description="What the recorded decisions could still cost"
      scope={{ ...search }}
      actions={<PrintButton />}
    >
      <PageGate permission="read">
        <ExposureFilters />
        <Figures />
        <Section title="Back-test" ownScope="All agents, all time">
          <BackTest />
        </Section>
        <Gate permission="admin">
          <Section title="Risk matrix" ownScope="All decisions">
            <MatrixEditor />
          </Section>
        </Gate>
      </PageGate>
    </Page>
  );
}

function Figures() {
  const ledger = useLedger();
  const { from, to, agent, action } = route.useSearch();
  const query = present({ start: from, end: to, agent_id: agent, action_type: action });
  const { data, error, refetch } = useQuery({
    queryKey: ['figures', 'exposure', query],
    queryFn: ({ signal }) => ledger.analytics.liability({ ...query, top: TOP }, { signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton />;
  return data.decisions === 0 ? <NoDecisions /> : <Analysis analysis={data} query={query} />;
}

interface AnalysisProps {
  readonly analysis: ExposureAnalysis;
  readonly query: ExposureQuery;
}

function Analysis({ analysis, query }: AnalysisProps) {
  return (
    <>
      <Summary analysis={analysis} />
      <Section title="Trend">
        <Trend analysis={analysis} />
      </Section>
      <Section title="By action type">
        <ActionTypes analysis={analysis} />
      </Section>
      <Section title="Largest exposures">
        <TopDecisions analysis={analysis} query={query} />
      </Section>
    </>
  );
}

function NoDecisions() {
  if (isFiltered(route.useSearch())) {
    return (
      <EmptyState title="No decision matches the filters">
        Choose a longer range, or remove the agent or the action type.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing is exposed yet"
      request={{
        method: 'POST',
        path: '/api/v1/decisions',
        body: {
          ...{ agent_id: 'refund-bot', action_type: 'approve_refund', confidence: 0.93 },
          ...{ inputs: { order: 'A-1041' }, outputs: { approved: true, amount: '49.00' } },
        },
      }}
    >
      Every recorded decision gets an estimate of what it could still cost: the probability of a
      loss, times what a loss would cost. State the amount in the outputs, as in this request.
    </EmptyState>
  );
}
