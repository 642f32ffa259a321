import { Text } from '@mantine/core';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Money } from '../../components/money.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import classes from './figures.module.css';
import { usePnl } from './figures.ts';
import { NothingFound } from './nothing-found.tsx';
import { isFiltered, rowsQuery } from './queries.ts';
import { RowTable } from './row-table.tsx';
import type { TabProps } from './search.ts';

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
