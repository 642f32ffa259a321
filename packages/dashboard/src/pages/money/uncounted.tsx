import type { Pnl } from '@decision-ledger/client/api/analytics';
import type { RowsQuery } from '@decision-ledger/client/api/analytics-rows';
import { Button, SegmentedControl, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { now } from '../../app/clock.ts';
import { useLedger } from '../../app/session/context.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate } from '../../components/page.tsx';
import type { RateChange } from '../../components/rates.ts';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { UndoRate } from '../../components/undo-rate.tsx';
import { Money } from '../../components/values.tsx';
import { formatQuantity } from '../../format/numbers.ts';
import classes from './figures.module.css';
import { isFiltered, isSearched, rowsQuery, type TabProps } from './queries.ts';
import { RateDialog } from './rate-dialog.tsx';
import { NothingFound, RowTable, usePnl } from './row-table.tsx';

export function Unattributed({ filters }: TabProps) {
  // One age for all pages.
  const query = useMemo(() => rowsQuery(filters, now()), [filters]);
  const isSome = isSearched(filters);
  return (
    <>
      <div className={classes.figure}>
        {isSome ? <SumFound query={query} /> : <WholeSum filters={filters} />}
        <Text c="dimmed" size="sm">
          Money that no link claims, so the decision that moved it is unknown. A review can name the
          cause.
        </Text>
      </div>
      <RowTable
        label="Unattributed money"
        figure="unattributed"
        query={query}
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

function WholeSum({ filters }: TabProps) {
  const { data, error, refetch } = usePnl(filters);
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={1} />;
  const own = data.by_currency.find(({ currency }) => currency === filters.currency);
  const amount = filters.currency === undefined ? data.unattributed : (own?.unattributed ?? '0');
  return amount === null ? null : (
    <Figure amount={amount} currency={filters.currency ?? data.currency} />
  );
}

/** The sum of what a search finds: in its currency, if it is of one. */
function SumFound({ query }: { query: RowsQuery }) {
  const ledger = useLedger();
  const { data, error } = useQuery({
    queryKey: ['figures', 'unattributed', query],
    queryFn: ({ signal }) =>
      ledger.analytics.pnlRows({ ...query, figure: 'unattributed', limit: 1 }, { signal }).page(),
  });
  // The table says what is wrong with a search.
  if (error !== null) return null;
  if (data === undefined) return <LinesSkeleton lines={1} />;
  if (data.sum === null) return null;
  const { by_currency, converted, rows } = data.sum;
  const own = by_currency.find(({ currency }) => currency === query.currency);
  return (
    <>
      <Figure
        amount={query.currency === undefined ? converted : (own?.amount ?? '0')}
        currency={query.currency ?? data.currency}
      />
      <Text size="sm">{formatQuantity(rows, 'row')} found</Text>
    </>
  );
}

function Figure({ amount, currency }: { amount: string; currency: string }) {
  return (
    <strong className={classes.amount}>
      <Money amount={amount} currency={currency} />
    </strong>
  );
}

const route = getRouteApi('/shell/money');

export function Unconverted({ filters }: TabProps) {
  // It outlives the table: a currency that has a rate is not listed any more.
  const [change, setChange] = useState<RateChange | null>(null);
  return (
    <>
      {change !== null && (
        <UndoRate key={JSON.stringify(change)} change={change} onDone={() => setChange(null)} />
      )}
      <WithoutRate filters={filters} onSet={setChange} />
    </>
  );
}

function WithoutRate({ filters, onSet }: TabProps & { onSet: (change: RateChange) => void }) {
  const query = useMemo(() => rowsQuery(filters, now()), [filters]);
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
      <Currencies all={all} base={data.currency} onSet={onSet} />
      <PartSwitch isLinked={filters.part === 'linked'} />
      <RowTable
        label="Unconverted money"
        figure={figure}
        query={query}
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

interface CurrenciesProps {
  readonly all: readonly Amounts[];
  /** The base currency. */
  readonly base: string;
  readonly onSet: (change: RateChange) => void;
}

/** What lacks a rate, by currency. */
function Currencies({ all, base, onSet }: CurrenciesProps) {
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
      {chosen !== null && (
        <RateDialog from={chosen} to={base} onSet={onSet} onClose={() => setChosen(null)} />
      )}
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
