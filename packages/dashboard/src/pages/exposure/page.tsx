import type { ExposureAnalysis, ExposureQuery } from '@decision-ledger/client/api/exposure';
import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type ExposureSearch, isFiltered, present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';
import { DayRangeFields } from '../../components/day-range.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate, Page, PageGate, PrintButton, Section } from '../../components/page.tsx';
import { BackTest } from './back-test.tsx';
import { ActionTypes, TopDecisions } from './breakdowns.tsx';
import { Budgets } from './budgets.tsx';
import classes from './exposure.module.css';
import { MatrixEditor } from './matrix/editor.tsx';
import { Summary, Trend } from './summary.tsx';

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
        <Section title="Budgets" ownScope="The current day or month">
          <Budgets />
        </Section>
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

/** Which decisions the figures count. */
function ExposureFilters() {
  const search = route.useSearch();
  return <Fields key={JSON.stringify(search)} search={search} />;
}

function Fields({ search }: { search: ExposureSearch }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(search);
  const apply = (next: ExposureSearch) => void navigate({ to: '/exposure', search: next });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    apply(draft);
  };
  const text = (name: 'agent' | 'action', label: string) => (
    <TextInput
      size="xs"
      label={label}
      placeholder="Any"
      value={draft[name] ?? ''}
      onChange={({ currentTarget }) =>
        setDraft({ ...draft, [name]: currentTarget.value || undefined })
      }
    />
  );
  return (
    <form onSubmit={onSubmit} className={classes.filters} aria-label="Filters" data-screen-only>
      {text('agent', 'Agent')}
      {text('action', 'Action type')}
      <DayRangeFields range={draft} onChange={(range) => setDraft({ ...draft, ...range })} />
      <Group gap="xs">
        <Button type="submit" size="xs" variant="default">
          Apply
        </Button>
        {isFiltered(search) && (
          <Button size="xs" variant="default" onClick={() => apply({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
