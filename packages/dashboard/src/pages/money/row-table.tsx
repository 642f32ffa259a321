import type { RowsQuery } from '@decision-ledger/client/api/analytics-rows';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { type MoneySearch, present } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';
import { MONEY_ROW_COLUMNS, type MoneyRow, moneyRowsOf } from '../../components/csv-tables.ts';
import { type Column, DataTable, type RowSource } from '../../components/data-table/data-table.tsx';
import { EmptyState } from '../../components/load-states.tsx';
import { loadWith } from '../../components/rows.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { formatShare } from '../../format/numbers.ts';
import { EventLink } from './event-link.tsx';

interface RowTableProps {
  readonly label: string;
  readonly figure: Figure;
  readonly query: RowsQuery;
  readonly empty: ReactNode;
}

/** The parts of events that a figure counts. */
export function RowTable({ label, figure, query, empty }: RowTableProps) {
  const ledger = useLedger();
  const source = useMemo<RowSource<MoneyRow>>(
    () => ({
      queryKey: ['pnl-rows', figure, query],
      load: loadWith(
        (wanted, options) => ledger.analytics.pnlRows({ ...query, figure, ...wanted }, options),
        moneyRowsOf,
      ),
    }),
    [ledger, figure, query],
  );
  return (
    <DataTable
      {...{ label, columns: COLUMNS, source, empty }}
      csv={{ name: figure.replaceAll('_', '-'), columns: MONEY_ROW_COLUMNS }}
      rowKey={({ financial_event_id, link_id }) => `${financial_event_id} ${link_id}`}
    />
  );
}

const COLUMNS: readonly Column<MoneyRow>[] = [
  {
    id: 'type',
    header: 'Type',
    width: 'minmax(4.5rem, 2fr)',
    cell: ({ financial_event_id, event_type }) => (
      <EventLink id={financial_event_id}>{event_type}</EventLink>
    ),
  },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(6rem, 2fr)',
    from: 'tablet',
    cell: ({ source }) => source,
  },
  {
    id: 'event',
    header: 'Event',
    width: 'minmax(7rem, 1.5fr)',
    align: 'end',
    from: 'desktop',
    cell: ({ event_amount, currency }) => <Money amount={event_amount} currency={currency} />,
  },
  {
    id: 'share',
    header: 'Part',
    width: '5rem',
    align: 'end',
    from: 'tablet',
    cell: ({ share }) => formatShare(Number(share), 1),
  },
  {
    id: 'amount',
    header: 'Amount of the part',
    width: 'minmax(7rem, 1.5fr)',
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

export function NothingFound() {
  return (
    <EmptyState title="Nothing matches the filters">
      Remove a filter, or choose another range of days. Text filters match whole values.
    </EmptyState>
  );
}

type Figure = 'unattributed' | 'unconverted' | 'unattributed_unconverted';

/** The profit and loss of the days in view. */
export function usePnl({ from, to }: MoneySearch) {
  const ledger = useLedger();
  const query = present({ start: from, end: to });
  return useQuery({
    queryKey: ['figures', 'pnl', query],
    queryFn: ({ signal }) => ledger.analytics.pnl(query, { signal }),
  });
}
