import type { Activity } from '@decision-ledger/client/api/chain';
import { Anchor, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type ActivityFilters,
  isFiltered,
  present,
  readActivity,
} from '../../app/search-params.ts';
import { useCan, useLedger } from '../../app/session/context.tsx';
import { authorOf, CHANGES, changeOf, summaryOf } from '../../components/activity-words.ts';
import { type Column, DataTable } from '../../components/data-table/data-table.tsx';
import { DayRangeFields } from '../../components/day-range.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState } from '../../components/load-states.tsx';
import { Page, PageGate } from '../../components/page.tsx';
import { type CsvTable, loadWith } from '../../components/rows.tsx';
import { Moment } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
import { Entry, Subject } from './entry.tsx';

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
        <ActivityFilterBar filters={filters} />
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

const MOST = 500;
const NONE: ReadonlyMap<string, string> = new Map();

/** The names of keys by their id, for those who may read them. */
function useKeyNames(): ReadonlyMap<string, string> {
  const ledger = useLedger();
  const enabled = useCan('admin');
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async ({ signal }) => {
      const keys = await ledger.keys.list({}, { signal }).toArray(MOST);
      return new Map(keys.map(({ key_id, name }) => [key_id, name]));
    },
    enabled,
  });
  return data ?? NONE;
}

const KINDS = [
  { value: '', label: 'Any' },
  ...Object.entries(CHANGES).map(([value, label]) => ({ value, label })),
];

function ActivityFilterBar({ filters }: { filters: ActivityFilters }) {
  const navigate = useNavigate();
  return (
    <FilterBar
      page="activity"
      filters={filters}
      isFiltered={isFiltered(filters)}
      read={readActivity}
      onApply={(search) => void navigate({ to: '/activity', search })}
    >
      {(draft, change) => (
        <>
          <NativeSelect
            size="xs"
            label="Change"
            data={kindsWith(draft.type)}
            value={draft.type ?? ''}
            onChange={({ currentTarget }) => change({ type: currentTarget.value || undefined })}
          />
          <TextInput
            size="xs"
            label="Subject (whole id)"
            placeholder="dec_…, key_…"
            value={draft.subject ?? ''}
            onChange={({ currentTarget }) =>
              change({ subject: currentTarget.value.trim() || undefined })
            }
          />
          <DayRangeFields range={draft} onChange={change} />
        </>
      )}
    </FilterBar>
  );
}

/** The choices, with a kind that the address names and this page does not know. */
function kindsWith(type: string | undefined) {
  const isUnknown = type !== undefined && !Object.hasOwn(CHANGES, type);
  return isUnknown ? [...KINDS, { value: type, label: type }] : KINDS;
}
