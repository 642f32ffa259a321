import { Button, SegmentedControl, Table, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CsvTable } from '../../components/csv/csv-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Gate } from '../../components/gate.tsx';
import { Money } from '../../components/money.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import classes from './figures.module.css';
import { type Unconverted as Amounts, unconvertedOf, usePnl } from './figures.ts';
import { NothingFound } from './nothing-found.tsx';
import { isFiltered, rowsQuery } from './queries.ts';
import { RateDialog } from './rate-dialog.tsx';
import { RowTable } from './row-table.tsx';
import type { TabProps } from './search.ts';

const route = getRouteApi('/shell/money');

export function Unconverted({ filters }: TabProps) {
  const { data, error, refetch } = usePnl(filters);
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton />;
  const all = unconvertedOf(data).filter(
    ({ currency }) => filters.currency === undefined || filters.currency === currency,
  );
  if (all.length === 0) {
    if (isFiltered('unconverted', filters)) return <NothingFound />;
    return (
      <EmptyState title="All money is converted">
        Events in a currency without an exchange rate into {data.currency} on their day appear here.
        No total counts them until a rate is set.
      </EmptyState>
    );
  }
  const figure = filters.part === 'linked' ? 'unconverted' : 'unattributed_unconverted';
  return (
    <>
      <Currencies all={all} base={data.currency} />
      <PartSwitch isLinked={filters.part === 'linked'} />
      <RowTable
        label="Unconverted money"
        figure={figure}
        query={rowsQuery(filters)}
        empty={<Text c="dimmed">Every amount here has an exchange rate.</Text>}
      />
    </>
  );
}

const CSV: CsvTable<Amounts> = {
  name: 'unconverted-by-currency',
  columns: {
    currency: ({ currency }) => currency,
    linked: ({ linked }) => ({ decimal: linked }),
    not_linked: ({ open }) => ({ decimal: open }),
  },
};

/** What lacks a rate, by currency. */
function Currencies({ all, base }: { all: readonly Amounts[]; base: string }) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <Text c="dimmed" size="sm" mb="xs">
        No total counts this money, because there is no exchange rate into {base} on its day. A rate
        takes effect at once, also for the past.
      </Text>
      <ShortTable label="Unconverted by currency" minWidth={420} csv={CSV} rows={all}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Currency</Table.Th>
            <Table.Th ta="end">Linked</Table.Th>
            <Table.Th ta="end">Not linked</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {all.map(({ currency, linked, open }) => (
            <Table.Tr key={currency}>
              <Table.Td>{currency}</Table.Td>
              <Table.Td ta="end">
                <Money amount={linked} currency={currency} />
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={open} currency={currency} />
              </Table.Td>
              <Table.Td ta="end">
                <Gate permission="admin">
                  <Button size="compact-sm" variant="default" onClick={() => setChosen(currency)}>
                    Set a rate
                  </Button>
                </Gate>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
      {chosen !== null && <RateDialog from={chosen} to={base} onClose={() => setChosen(null)} />}
    </>
  );
}

function PartSwitch({ isLinked }: { isLinked: boolean }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      className={classes.parts ?? ''}
      aria-label="Part"
      value={isLinked ? 'linked' : 'open'}
      data={[
        { value: 'open', label: 'Not linked' },
        { value: 'linked', label: 'Linked' },
      ]}
      onChange={(value) => {
        const part = value === 'linked' ? 'linked' : undefined;
        void navigate({ to: '/money', search: { ...search, part } });
      }}
    />
  );
}
