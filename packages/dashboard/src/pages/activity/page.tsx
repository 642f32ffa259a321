import type { Activity } from '@decision-ledger/client/api/activity';
import { Anchor } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.ts';
import type { CsvTable } from '../../components/csv/csv-button.tsx';
import type { Column } from '../../components/data-table/columns.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { loadWith } from '../../components/data-table/pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageGate } from '../../components/gate.tsx';
import { Moment } from '../../components/moment.tsx';
import { Page } from '../../components/page.tsx';
import { formatCount } from '../../format/numbers.ts';
import { Entry } from './entry.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type ActivityFilters, isFiltered } from './search.ts';
import { Subject } from './subject.tsx';
import { summaryOf } from './summary.ts';
import { useKeyNames } from './use-key-names.ts';
import { authorOf, changeOf } from './words.ts';

const route = getRouteApi('/shell/activity');

export function ActivityPage() {
  const filters = route.useSearch();
  return (
    <Page
      title="Activity"
      description="Who changed what, in a separate chain that exports contain"
      scope={{ ...filters }}
    >
      <PageGate permission="read">
        <FilterBar filters={filters} />
        <List filters={filters} />
      </PageGate>
    </Page>
  );
}

function List({ filters }: { filters: ActivityFilters }) {
  const ledger = useLedger();
  const [opened, setOpened] = useState<Activity | null>(null);
  const columns = useColumns(setOpened);
  const { type, subject, from, to } = filters;
  const query = present({ type, subject, start: from, end: to });
  return (
    <>
      <DataTable
        label="Changes"
        columns={columns}
        source={{
          queryKey: ['activity', query],
          load: loadWith(
            (wanted, options) => ledger.operations.activity({ ...query, ...wanted }, options),
            ({ activity }) => activity,
          ),
        }}
        rowKey={({ activity_id }) => activity_id}
        csv={CSV}
        empty={<Nothing filters={filters} />}
      />
      <Entry activity={opened} onClose={() => setOpened(null)} />
    </>
  );
}

const CSV: CsvTable<Activity> = {
  name: 'activity',
  columns: {
    activity_id: ({ activity_id }) => activity_id,
    type: ({ type }) => type,
    actor: ({ actor }) => actor,
    subject: ({ subject }) => subject,
    created_at: ({ created_at }) => created_at,
    seq: ({ seq }) => seq,
    data: ({ data }) => JSON.stringify(data),
    hash: ({ hash }) => hash,
  },
};

function useColumns(onOpen: (activity: Activity) => void): readonly Column<Activity>[] {
  const names = useKeyNames();
  return [
    {
      ...{ id: 'change', header: 'Change', width: 'minmax(7.5rem, 1.4fr)' },
      cell: (activity) => (
        <Anchor
          component="button"
          type="button"
          fz="inherit"
          fw={500}
          maw="100%"
          truncate="end"
          onClick={() => onOpen(activity)}
        >
          {changeOf(activity.type)}
        </Anchor>
      ),
    },
    {
      ...{ id: 'by', header: 'By', width: 'minmax(4rem, 1fr)' },
      cell: ({ actor }) => <span title={actor}>{authorOf(actor, names)}</span>,
    },
    {
      ...{ id: 'subject', header: 'Of', width: 'minmax(8rem, 1.2fr)', from: 'tablet' },
      cell: ({ subject }) => <Subject id={subject} />,
    },
    {
      ...{ id: 'summary', header: 'Details', width: 'minmax(8rem, 2fr)', from: 'desktop' },
      cell: summaryOf,
    },
    {
      ...{ id: 'seq', header: 'Position', width: '6rem', align: 'end', from: 'tablet' },
      cell: ({ seq }) => formatCount(seq),
    },
    {
      ...{ id: 'time', header: 'Recorded', width: 'var(--time-column)', align: 'end' },
      cell: ({ created_at }) => <Moment time={created_at} />,
    },
  ];
}

function Nothing({ filters }: { filters: ActivityFilters }) {
  return isFiltered(filters) ? (
    <EmptyState title="No change matches the filters">
      Choose another kind or a longer range. A subject is the whole id of a record.
    </EmptyState>
  ) : (
    <EmptyState
      title="Nothing has changed yet"
      request={{ method: 'GET', path: '/api/v1/activity' }}
    >
      Every change that evidence depends on appears here with its author: events, links, erasures,
      exports, keys and settings. No entry can be removed.
    </EmptyState>
  );
}
