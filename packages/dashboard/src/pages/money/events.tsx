import type { ReportedEvent } from '@decision-ledger/client/api/financial-event';
import { VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { now } from '../../app/clock.ts';
import { useLedger } from '../../app/session/context.tsx';
import { type Column, DataTable, type RowSource } from '../../components/data-table/data-table.tsx';
import { EmptyState } from '../../components/load-states.tsx';
import { type CsvTable, loadWith } from '../../components/rows.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { EventLink } from './event-link.tsx';
import { eventQuery, isFiltered, type TabProps } from './queries.ts';
import { NothingFound } from './row-table.tsx';
import { SHORT_STANDING_NAMES } from './standing-names.ts';

export function Events({ filters }: TabProps) {
  const ledger = useLedger();
  const source = useMemo<RowSource<ReportedEvent>>(() => {
    // One age for all pages.
    const query = eventQuery(filters, now());
    return {
      queryKey: ['financial-events', query],
      load: loadWith(
        (wanted, options) => ledger.events.list({ ...query, ...wanted }, options),
        ({ financial_events }) => financial_events,
      ),
    };
  }, [ledger, filters]);
  return (
    <DataTable
      label="Financial events"
      columns={COLUMNS}
      source={source}
      rowKey={({ id }) => id}
      csv={CSV}
      empty={isFiltered('events', filters) ? <NothingFound /> : <NoEvents />}
    />
  );
}

const CSV: CsvTable<ReportedEvent> = {
  name: 'financial-events',
  columns: {
    id: ({ id }) => id,
    source: ({ source }) => source,
    event_type: ({ event_type }) => event_type,
    amount: ({ amount }) => ({ decimal: amount }),
    currency: ({ currency }) => currency,
    external_id: ({ external_id }) => external_id,
    description: ({ description }) => description,
    timestamp: ({ timestamp }) => timestamp,
    created_at: ({ created_at }) => created_at,
    kind: ({ kind }) => kind,
    standing: ({ standing }) => standing,
    movement_lead: ({ movement }) => movement.lead,
    reports_of_movement: ({ movement }) => movement.reports.length,
    metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
  },
};

const COLUMNS: readonly Column<ReportedEvent>[] = [
  {
    id: 'type',
    header: 'Type',
    width: 'minmax(3.5rem, 2fr)',
    cell: ({ id, event_type }) => <EventLink id={id}>{event_type}</EventLink>,
  },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(6rem, 2fr)',
    from: 'tablet',
    cell: ({ source }) => source,
  },
  {
    id: 'reference',
    header: 'Reference',
    width: 'minmax(6rem, 2fr)',
    from: 'desktop',
    cell: ({ external_id }) => external_id,
  },
  {
    id: 'amount',
    header: 'Amount',
    width: 'minmax(8.5rem, 1.5fr)',
    align: 'end',
    cell: ({ amount, currency, standing }) => (
      <>
        <Money amount={amount} currency={currency} dimmed={standing !== 'counted'} />
        {standing !== 'counted' && (
          <VisuallyHidden component="span">, does not count</VisuallyHidden>
        )}
      </>
    ),
  },
  {
    id: 'standing',
    header: 'Counts',
    width: '9.5rem',
    from: 'tablet',
    cell: ({ standing }) => SHORT_STANDING_NAMES[standing],
  },
  {
    id: 'time',
    header: 'Time',
    width: 'var(--time-column)',
    cell: ({ timestamp }) => <Moment time={timestamp} />,
  },
];

const EXAMPLE = {
  source: 'billing',
  event_type: 'refund',
  amount: '-49.00',
  currency: 'EUR',
  external_id: 'A-1041',
  timestamp: '2026-04-30T13:00:00Z',
};

function NoEvents() {
  return (
    <EmptyState
      title="No financial events are recorded yet"
      request={{ method: 'POST', path: '/api/v1/financial-events', body: EXAMPLE }}
    >
      Payments, refunds, costs and losses appear here. Record the first one with this request, or
      connect an accounting system or Stripe under “Connections”. Incoming money is positive,
      outgoing money negative.
    </EmptyState>
  );
}
