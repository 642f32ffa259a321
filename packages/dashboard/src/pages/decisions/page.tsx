import type { Decision } from '@decision-ledger/client/api/decision';
import { Badge, Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useLive } from '../../app/live.tsx';
import { type DecisionFilters, isFiltered } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';
import {
  type Column,
  DataTable,
  RowLink,
  type RowSource,
} from '../../components/data-table/data-table.tsx';
import { EmptyState } from '../../components/load-states.tsx';
import { Page, PageGate } from '../../components/page.tsx';
import { type CsvTable, loadWith } from '../../components/rows.tsx';
import { Hash, Moment } from '../../components/values.tsx';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { ExportButton } from './export-button.tsx';
import { DecisionFilterBar, queryOf } from './filters.tsx';

const route = getRouteApi('/shell/decisions');

export function DecisionsPage() {
  const filters = route.useSearch();
  const [generation, setGeneration] = useState(0);
  return (
    <Page title="Decisions" scope={{ ...filters }}>
      <PageGate permission="read">
        <DecisionFilterBar filters={filters} />
        <ExportButton filters={filters} />
        <NewDecisions
          key={JSON.stringify(filters)}
          filters={filters}
          onShow={() => setGeneration(generation + 1)}
        />
        <DecisionTable filters={filters} generation={generation} />
      </PageGate>
    </Page>
  );
}

interface DecisionTableProps {
  readonly filters: DecisionFilters;
  /** Another number is another reading of the list. */
  readonly generation: number;
}

function DecisionTable({ filters, generation }: DecisionTableProps) {
  const ledger = useLedger();
  const source = useMemo<RowSource<Decision>>(
    () => ({
      queryKey: ['decisions', filters, generation],
      load: loadWith(
        (wanted, options) => ledger.decisions.list({ ...queryOf(filters), ...wanted }, options),
        ({ decisions }) => decisions,
      ),
    }),
    [ledger, filters, generation],
  );
  return (
    <DataTable
      label="Decisions"
      columns={COLUMNS}
      source={source}
      rowKey={({ decision_id }) => decision_id}
      csv={CSV}
      empty={isFiltered(filters) ? <NothingFound /> : <NoDecisions />}
    />
  );
}

const CSV: CsvTable<Decision> = {
  name: 'decisions',
  columns: {
    decision_id: ({ decision_id }) => decision_id,
    agent_id: ({ agent_id }) => agent_id,
    action_type: ({ action_type }) => action_type,
    confidence: ({ confidence }) => confidence,
    human_in_loop: ({ human_in_loop }) => human_in_loop,
    timestamp: ({ timestamp }) => timestamp,
    created_at: ({ created_at }) => created_at,
    seq: ({ seq }) => seq,
    hash: ({ hash }) => hash,
  },
};

const COLUMNS: readonly Column<Decision>[] = [
  {
    id: 'agent',
    header: 'Agent',
    width: 'minmax(6rem, 2fr)',
    cell: ({ decision_id, agent_id }) => (
      <RowLink href={`/decisions/${encodeURIComponent(decision_id)}`}>{agent_id}</RowLink>
    ),
  },
  {
    id: 'action',
    header: 'Action',
    width: 'minmax(5rem, 2fr)',
    cell: ({ action_type }) => action_type,
  },
  {
    id: 'confidence',
    header: 'Confidence',
    width: '6rem',
    align: 'end',
    from: 'tablet',
    cell: ({ confidence }) => formatShare(confidence, 1),
  },
  {
    id: 'human',
    header: 'Human review',
    width: '8rem',
    from: 'tablet',
    cell: ({ human_in_loop }) =>
      human_in_loop && (
        <Badge variant="default" tt="none" fw={500}>
          In the loop
        </Badge>
      ),
  },
  {
    id: 'time',
    header: 'Time',
    width: 'var(--time-column)',
    cell: ({ timestamp }) => <Moment time={timestamp} />,
  },
  {
    id: 'seq',
    header: 'Position',
    width: '6rem',
    align: 'end',
    from: 'desktop',
    cell: ({ seq }) => formatCount(seq),
  },
  {
    id: 'hash',
    header: 'Hash',
    width: '12rem',
    from: 'desktop',
    cell: ({ hash }) => <Hash value={hash} label="the hash" />,
  },
];

function NothingFound() {
  return (
    <EmptyState title="No decision matches the filters">
      Remove a filter, or choose another range of days. Metadata filters match whole values.
    </EmptyState>
  );
}

const EXAMPLE = {
  agent_id: 'refund-bot',
  action_type: 'refund',
  inputs: { order: 'A-1041', reason: 'damaged' },
  outputs: { approved: true, amount: '49.00', currency: 'EUR' },
  confidence: 0.93,
};

function NoDecisions() {
  return (
    <EmptyState
      title="No decisions are recorded yet"
      request={{ method: 'POST', path: '/api/v1/decisions', body: EXAMPLE }}
    >
      Every decision that an agent records appears here, the newest first. Record the first one with
      this request, or with the client library.
    </EmptyState>
  );
}

interface NewDecisionsProps {
  readonly filters: DecisionFilters;
  readonly onShow: () => void;
}

/** Says how many decisions were recorded since the list was read, so that the list itself does not jump. */
function NewDecisions({ filters, onShow }: NewDecisionsProps) {
  const [count, setCount] = useState(0);
  useLive(({ type, data }) => {
    if (type !== 'decision.recorded') return;
    const isWanted =
      (filters.agent === undefined || filters.agent === data.agent_id) &&
      (filters.action === undefined || filters.action === data.action_type);
    if (isWanted) setCount((old) => old + 1);
  });
  if (count === 0) return null;
  const onClick = () => {
    setCount(0);
    window.scrollTo({ top: 0 });
    onShow();
  };
  return (
    <Button size="compact-sm" variant="light" mb="xs" onClick={onClick} data-screen-only>
      {count === 1 ? 'Show 1 new decision' : `Show ${formatCount(count)} new decisions`}
    </Button>
  );
}
