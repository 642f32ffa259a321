import type { Pnl } from '@decision-ledger/client/api/analytics';
import { Button, SegmentedControl, Table, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate } from '../../components/page.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Money } from '../../components/values.tsx';
import classes from './figures.module.css';
import { isFiltered, rowsQuery, type TabProps } from './queries.ts';
import { RateDialog } from './rate-dialog.tsx';
import { NothingFound, RowTable, usePnl } from './row-table.tsx';

export function Unattributed({ filters }: TabProps) {
  const { data, error, refetch } = usePnl(filters);
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton />;
  const own = data.by_currency.find(({ currency }) => currency === filters.currency);
  const amount = filters.currency === undefined ? data.unattributed : (own?.unattributed ?? '0');
  return (
    <>
      <div className={classes.figure}>
        {amount !== null && (
          <strong className={classes.amount}>
            <Money amount={amount} currency={filters.currency ?? data.currency} />
          </strong>
        )}
        <Text c="dimmed" size="sm">
          Money that no link claims, so the decision that moved it is unknown. A review can name the
          cause.
        </Text>
      </div>
      <RowTable
        label="Unattributed money"
        figure="unattributed"
        query={rowsQuery(filters)}
        empty={
          isFiltered('unattributed', filters) ? (
            <NothingFound />
          ) : (
            <EmptyState title="All money is attributed">
              Links claim every event in full. Unclaimed money would appear here.
            </EmptyState>
          )
        }
      />
    </>
  );
}

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

/** Money in a currency without an exchange rate. */
interface Amounts {
  readonly currency: string;
  /** What links take. */
  readonly linked: string;
  /** What they leave. */
  readonly open: string;
}

function unconvertedOf({ unconverted, unattributed_unconverted }: Pnl): Amounts[] {
  const amounts = (list: Pnl['unconverted']) =>
    new Map(list.map(({ currency, amount }) => [currency, amount]));
  const linked = amounts(unconverted);
  const open = amounts(unattributed_unconverted);
  const currencies = [...new Set([...linked.keys(), ...open.keys()])].sort();
  return currencies.map((currency) => ({
    currency,
    linked: linked.get(currency) ?? '0',
    open: open.get(currency) ?? '0',
  }));
}
