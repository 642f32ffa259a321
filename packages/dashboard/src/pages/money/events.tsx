import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import { useMemo } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { type Column, DataTable, type RowSource } from '../../components/data-table/data-table.tsx';
import { EmptyState } from '../../components/load-states.tsx';
import { type CsvTable, loadWith } from '../../components/rows.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { EventLink } from './event-drawer.tsx';
import { eventQuery, isFiltered, type TabProps } from './queries.ts';
import { NothingFound } from './row-table.tsx';

export function Events({ filters }: TabProps) {
  const ledger = useLedger();
  const source = useMemo<RowSource<FinancialEvent>>(
    () => ({
      queryKey: ['financial-events', filters],
      load: loadWith(
        (wanted, options) => ledger.events.list({ ...eventQuery(filters), ...wanted }, options),
        ({ financial_events }) => financial_events,
      ),
    }),
    [ledger, filters],
  );
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

const CSV: CsvTable<FinancialEvent> = {
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
    metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
  },
};

const COLUMNS: readonly Column<FinancialEvent>[] = [
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
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
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
