import type { Link as MoneyLink } from '@decision-ledger/client/api/link';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { type Column, DataTable, type RowSource } from '../../components/data-table/data-table.tsx';
import { EmptyState } from '../../components/load-states.tsx';
import { type CsvTable, loadWith } from '../../components/rows.tsx';
import { LinkLabel, Moment } from '../../components/values.tsx';
import { formatShare } from '../../format/numbers.ts';
import { EventLink } from './event-link.tsx';
import { isFiltered, linkQuery, type TabProps } from './queries.ts';
import { NothingFound } from './row-table.tsx';

export function Links({ filters }: TabProps) {
  const ledger = useLedger();
  const source = useMemo<RowSource<MoneyLink>>(
    () => ({
      queryKey: ['links', filters],
      load: loadWith(
        (wanted, options) => ledger.links.list({ ...linkQuery(filters), ...wanted }, options),
        ({ links }) => links,
      ),
    }),
    [ledger, filters],
  );
  return (
    <DataTable
      label="Links"
      columns={COLUMNS}
      source={source}
      rowKey={({ id }) => id}
      csv={CSV}
      empty={isFiltered('links', filters) ? <NothingFound /> : <NoLinks />}
    />
  );
}

const CSV: CsvTable<MoneyLink> = {
  name: 'links',
  columns: {
    id: ({ id }) => id,
    decision_id: ({ decision_id }) => decision_id,
    financial_event_id: ({ financial_event_id }) => financial_event_id,
    link_type: ({ link_type }) => link_type,
    reversal: ({ reversal }) => reversal,
    correlation_strength: ({ correlation_strength }) => correlation_strength,
    label: ({ label }) => label,
    status: ({ status }) => status,
    inherited_from: ({ inherited_from }) => inherited_from,
    created_by: ({ created_by }) => created_by,
    reviewed_by: ({ reviewed_by }) => reviewed_by,
    created_at: ({ created_at }) => created_at,
  },
};

const COLUMNS: readonly Column<MoneyLink>[] = [
  {
    id: 'kind',
    header: 'Kind',
    width: 'minmax(6rem, 1.5fr)',
    cell: ({ financial_event_id, link_type, reversal }) => (
      <EventLink id={financial_event_id}>
        {reversal ? `${link_type}, reversed` : link_type}
      </EventLink>
    ),
  },
  {
    id: 'share',
    header: 'Share',
    width: '5rem',
    align: 'end',
    cell: ({ correlation_strength }) => formatShare(correlation_strength, 1),
  },
  {
    id: 'label',
    header: 'Certainty',
    width: '7rem',
    cell: ({ label, status }) => (status === 'REJECTED' ? 'Rejected' : <LinkLabel label={label} />),
  },
  {
    id: 'decision',
    header: 'Decision',
    width: 'minmax(8rem, 2fr)',
    from: 'tablet',
    cell: ({ decision_id }) => (
      <Anchor
        renderRoot={(props) => (
          <Link to="/decisions/$decisionId" params={{ decisionId: decision_id }} {...props} />
        )}
      >
        {decision_id}
      </Anchor>
    ),
  },
  {
    id: 'by',
    header: 'By',
    width: 'minmax(6rem, 1fr)',
    from: 'desktop',
    cell: ({ status, reviewed_by, created_by }) =>
      status === 'INHERITED' ? 'from the payment' : (reviewed_by ?? created_by),
  },
  {
    id: 'time',
    header: 'Created',
    width: 'var(--time-column)',
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
];

function NoLinks() {
  return (
    <EmptyState title="No decision is linked to money yet">
      The ledger suggests links within seconds after it records an event whose cause it finds among
      the decisions. People confirm or reject them on the page Review.
    </EmptyState>
  );
}
